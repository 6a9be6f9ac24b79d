import { asPerson } from '../../fixtures/database.ts';
import { createMember, type Member } from './account-steps.ts';
import type { Site } from './harness.ts';
import { asAdmin, assignCoach, giveSessions } from './pair.ts';

/** A client of a test's coach. */
export interface TestClient {
  owner: Member;
  business: string;
  engagementId: string;
}

type Within = Pick<Site, 'sql'>;

let made = 0;
const mark = () => {
  made += 1;
  return `${made}-${Math.random().toString(36).slice(2, 8)}`;
};

/** Creates a coach without clients. */
export async function createCoach({ sql }: Within, fullName = 'Carl Finch'): Promise<Member> {
  const coach = await createMember(sql, { email: `carl-${mark()}@coach.test`, fullName });
  await asAdmin(sql, (tx) => tx`select set_staff_role(${coach.id}, 'coach', 'hired')`);
  await sql`update public.profiles set time_zone = 'America/Denver' where user_id = ${coach.id}`;
  return coach;
}

/** Runs procedures as someone. */
const as = ({ sql }: Within, who: Member, run: Parameters<typeof asPerson>[2]) =>
  asPerson(sql, { userId: who.id, email: who.email }, run);

/** An owner who asked, with the coach assigned. */
export async function createAssigned(
  site: Within,
  coach: Member,
  {
    business = `Wren Tools ${mark()}`,
    fullName = 'Olga Wren',
    note = 'More repeat customers.',
  } = {},
): Promise<TestClient> {
  const { sql } = site;
  const owner = await createMember(sql, {
    email: `olga-${mark()}@client.test`,
    fullName,
    businessName: business,
  });
  const engagementId = crypto.randomUUID();
  const [membership] =
    await sql`select business_id from public.business_members where user_id = ${owner.id}`;
  await as(
    site,
    owner,
    (tx) => tx`select request_coaching(
      ${engagementId}, ${membership?.business_id}, ${note}, array['sales-marketing'], false)`,
  );
  await assignCoach(sql, engagementId, coach.id);
  await giveSessions(sql, engagementId);
  return { owner, business, engagementId };
}

/** The same, accepted. */
export async function createAccepted(
  site: Within,
  coach: Member,
  named?: Parameters<typeof createAssigned>[2],
): Promise<TestClient> {
  const client = await createAssigned(site, coach, named);
  await as(site, coach, (tx) => tx`select accept_client(${client.engagementId})`);
  return client;
}

/** The same, with a first session that's written up. */
export async function createActive(
  site: Within,
  coach: Member,
  named?: Parameters<typeof createAssigned>[2],
): Promise<TestClient> {
  const client = await createAccepted(site, coach, named);
  await closeSession(site, coach, client, 3);
  return client;
}

/** Writes a session up that took place some days ago. */
export async function closeSession(
  site: Within,
  coach: Member,
  { engagementId }: TestClient,
  daysAgo: number,
): Promise<string> {
  const id = crypto.randomUUID();
  const session = {
    starts_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
    time_zone: 'America/Denver',
    minutes: 60,
    kind: 'online',
    outcome: 'completed',
    topics: ['sales-marketing'],
    summary: 'We listed the twenty best customers.',
    note: 'Tired. Ask about the lease.',
    actions: [{ id: crypto.randomUUID(), body: 'Call three of them', doer: 'owner', due_on: null }],
    figures: null,
    next: null,
  };
  await as(
    site,
    coach,
    (tx) => tx`select close_session(${id}, ${engagementId}, ${tx.json(session)})`,
  );
  return id;
}

/** Schedules a session that begins in some minutes; negative: that long ago. */
export async function createSession(
  site: Within,
  coach: Member,
  { engagementId }: TestClient,
  minutes: number,
): Promise<string> {
  const id = crypto.randomUUID();
  // Sessions are planned ahead, so one that has begun is moved there.
  const planned = new Date(Date.now() + 86_400_000 * 30 + made * 7_200_000).toISOString();
  await as(
    site,
    coach,
    (tx) => tx`select schedule_session(
      ${id}, ${engagementId}, ${planned}, 'America/Denver', 60, 'online',
      'https://meet.example.com/wren')`,
  );
  made += 1;
  await site.sql`
    update public.coaching_sessions
    set starts_at = date_trunc('minute', now()) + make_interval(mins => ${minutes}) where id = ${id}`;
  return id;
}
