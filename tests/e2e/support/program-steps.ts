import { asPerson } from '../../fixtures/database.ts';
import { createMember, newAddress } from './account-steps.ts';
import type { Site } from './harness.ts';

/** Someone with an account, to call procedures as. */
export interface Someone {
  userId: string;
  email: string;
  role: 'authenticated';
}

/** Creates an account; with a name, it owns a business. */
export async function createSomeone(
  site: Site,
  name: string,
  businessName?: string,
): Promise<Someone> {
  const email = newAddress(name);
  const { id } = await createMember(site.sql, { email, fullName: `Rosa ${name}`, businessName });
  return { userId: id, email, role: 'authenticated' };
}

/** A program that the demo's admin gave, with someone who sponsors it. */
export async function createProgram(site: Site, name: string, seats: number) {
  const [admin] = await site.sql`select id from auth.users where email = 'admin@demo.test'`;
  const sponsor = await createSomeone(site, 'sponsor');
  const id = crypto.randomUUID();
  await asPerson(site.sql, { userId: admin?.id, role: 'authenticated' }, async (tx) => {
    await tx`select give_program(${id}, ${name}, 'Bernalillo County', ${seats}, 4, current_date,
      current_date + 364, 'for a test')`;
    await tx`select set_sponsor(${id}, ${sponsor.email}, true)`;
  });
  return { id, sponsor };
}

/** The sponsor makes a code. */
export async function createCode(site: Site, program: string, sponsor: Someone): Promise<string> {
  const id = crypto.randomUUID();
  await asPerson(site.sql, sponsor, (tx) => tx`select create_seat_code(${id}, ${program}, 50)`);
  const [row] = await site.sql`select code from public.seat_codes where id = ${id}`;
  return row?.code;
}

/** An owner takes a seat for their business. */
export async function takeSeat(site: Site, owner: Someone, code: string): Promise<string> {
  const [row] = await asPerson(
    site.sql,
    owner,
    (tx) => tx`
      select take_seat(m.business_id, 1, true, ${code}) ->> 'seat_id' as id
      from public.business_members m where m.user_id = ${owner.userId}`,
  );
  return row?.id;
}
