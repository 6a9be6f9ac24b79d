import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import type { Person } from '../../fixtures/database.ts';
import { createAttempt, openWorld, undone } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, quiz, as } = world;
const { coach, admin } = people;
let made = 0;
beforeEach(async () => {
  await sql`delete from public.benchmark_businesses`;
  await sql`delete from public.benchmarks`;
  await sql`update public.businesses set industry = null, stage = null`;
});

/** Creates owners with a business and a submitted quiz, with the same answer to every question. */
async function owners(count: number, value: number): Promise<{ who: Person; business: string }[]> {
  const all: { who: Person; business: string }[] = [];
  for (let index = 0; index < count; index++) {
    made += 1;
    const { id, email } = await createPerson(world.database.db, {
      email: `baker${made}@example.test`,
      fullName: 'Baker',
      businessName: `Bakery ${made}`,
    });
    const who: Person = { userId: id, email, role: 'authenticated' };
    const [row] = await sql`select business_id from public.business_members where user_id = ${id}`;
    const business = row?.business_id as string;
    await createAttempt(sql, who, { quiz, business, value });
    all.push({ who, business });
  }
  return all;
}

const place = (businesses: { business: string }[], industry = 'Bakeries', stage = 'Growing') =>
  sql`
    update public.businesses set industry = ${industry}, stage = ${stage}
    where id = any (${businesses.map(({ business }) => business)}::uuid[])`;

async function refresh(): Promise<number> {
  const [row] = await sql`select private.refresh_benchmarks()::int as done`;
  return row?.done;
}

async function shown(who: Person, business: string) {
  const [row] = await as(who)`select public.get_skills(${business}) -> 'benchmark' as benchmark`;
  return row?.benchmark;
}

describe('What others of the same industry and stage reach', () => {
  let all: Awaited<ReturnType<typeof owners>>;
  beforeAll(async () => {
    // Five businesses each with answers of 0, 1, 2 and 3 (out of 4).
    all = (await Promise.all([0, 1, 2, 3].map((value) => owners(5, value)))).flat();
  }, 60_000);

  test('Nineteen businesses show nothing, twenty show quartiles in whole numbers', async () => {
    const [first] = all as [(typeof all)[number]];
    await place(all.slice(0, 19));
    expect(await refresh()).toBe(0);
    expect(await shown(first.who, first.business)).toMatchObject({
      industry: 'Bakeries',
      stage: 'Growing',
      areas: [],
      computed_at: null,
      is_current: true,
    });
    await place(all);
    expect(await refresh()).toBe(1);
    const { areas } = await shown(first.who, first.business);
    expect(areas).toHaveLength(9);
    expect(areas[0]).toEqual({ area_key: 'overall', lower: 19, middle: 38, upper: 56 });
  });

  test('It is written as people write it, and others are not shown it', async () => {
    const [first, second] = all as [(typeof all)[number], (typeof all)[number]];
    await place(all);
    await place([second], '  BAKERIES ', 'growing');
    await refresh();
    expect((await shown(second.who, second.business)).areas).toHaveLength(9);
    // A stranger, a coach and an admin request a business that isn't theirs.
    for (const who of [second.who, coach, admin]) {
      expect(await shown(who, first.business)).toBeNull();
    }
    await place([second], 'Bakeries', 'Idea');
    expect((await shown(second.who, second.business)).areas).toEqual([]);
  });

  test('It is renewed only when five businesses have something new', async () => {
    const [first] = all as [(typeof all)[number]];
    await place(all);
    await refresh();
    const before = (await shown(first.who, first.business)).areas[0];
    const again = all.slice(0, 5);
    for (const [index, { who, business }] of again.entries()) {
      await createAttempt(sql, who, { quiz, business, value: 4 });
      if (index === 3) {
        expect(await refresh()).toBe(0);
        expect((await shown(first.who, first.business)).areas[0]).toEqual(before);
      }
    }
    expect(await refresh()).toBe(1);
    expect((await shown(first.who, first.business)).areas[0]).not.toEqual(before);
  });

  test('It goes when there are fewer than twenty again', async () => {
    const [first] = all as [(typeof all)[number]];
    await place(all);
    await refresh();
    await place(all.slice(-1), 'Plumbing');
    expect(await refresh()).toBe(0);
    expect((await shown(first.who, first.business)).areas).toEqual([]);
    expect((await sql`select from public.benchmark_businesses`).count).toBe(0);
  });

  test('A result in another version of the quiz is neither compared nor counted', async () => {
    const [first] = all as [(typeof all)[number]];
    await place(all);
    await refresh();
    const [old] = await sql`select id from public.quiz_versions where number = 1`;
    await undone(sql, async (tx) => {
      const id = crypto.randomUUID();
      await tx`
        insert into public.attempts (id, user_id, business_id, version_id, kind)
        values (${id}, ${first.who.userId ?? null}, ${first.business}, ${old?.id}, 'full')`;
      await tx`
        insert into public.answers (attempt_id, version_id, question_key, value)
        select ${id}, q.version_id, q.key, 4 from public.quiz_questions q
        where q.version_id = ${old?.id}`;
      await tx`select private.submit_attempt(${id})`;
      const benchmark = async () => {
        await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: first.who.userId, aal: 'aal1' })}, true)`;
        const [row] = await tx`select private.benchmark_json(${first.business}) as json`;
        return row?.json;
      };
      expect(await benchmark()).toMatchObject({ is_current: false, areas: [] });
      const [counted] = await tx`
        select count(*)::int as n, count(*) filter (where attempt_id = ${id})::int as old
        from private.benchmark_businesses()`;
      expect(counted).toEqual({ n: 20, old: 0 });
    });
  });

  test('One person with many businesses counts as one', async () => {
    const [first] = all as [(typeof all)[number]];
    const second = crypto.randomUUID();
    await as(first.who)`select public.create_business(${second}, 'Another bakery')`;
    await createAttempt(sql, first.who, { quiz, business: second });
    await place([...all.slice(0, 19), { business: second }]);
    expect(await refresh()).toBe(0);
  });
});
