import { beforeEach, describe, expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  createAttempt,
  everyone,
  nameOf,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();
beforeEach(() => world.sql`delete from public.focus_areas`);

const denied = '42501 permission denied for table focus_areas';
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface Choice {
  id?: string;
  attempt?: string;
  area?: string;
  action?: string;
  body?: string | null;
  due?: string | null;
}

/** Chooses an area as somebody; gives the focus areas that come back. */
async function choose(who: Person, choice: Choice = {}) {
  const given = {
    id: crypto.randomUUID(),
    attempt: world.ids.alderResult,
    area: 'sales-marketing',
    action: crypto.randomUUID(),
    body: 'Ask three customers',
    due: day(30),
    ...choice,
  };
  const [row] = await asPerson(
    world.sql,
    who,
    (tx) => tx`select public.choose_focus_area(
      ${given.id}, ${given.attempt}, ${given.area}, ${given.action}, ${given.body}, ${given.due}
    ) as focus`,
  );
  return row?.focus;
}

const end = (who: Person, id: string) =>
  asPerson(world.sql, who, (tx) => tx`select public.end_focus_area(${id}) as focus`).then(
    ([row]) => row?.focus,
  );

describe('Who may see and change focus areas', () => {
  test('Nobody writes any through the API', () => nobodyWrites(world, 'focus_areas'));

  test('Owners choose from their own results, and nobody for them', async () => {
    const gone = 'P0002 There is no such attempt.';
    expect(
      await whoMay(
        world,
        (sql) => sql`select public.choose_focus_area(
          ${crypto.randomUUID()}, ${world.ids.alderResult}, 'sales-marketing',
          ${crypto.randomUUID()}, 'Ask three customers', ${day(30)})`,
      ),
    ).toEqual(
      everyone(gone, {
        visitor: '42501 permission denied for function choose_focus_area',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        owner: 1,
      }),
    );
  });

  test('Owners read their own, the assigned coach what is shared, and nobody else', async () => {
    const { people, ids } = world;
    await choose(people.owner);
    await choose(people.otherOwner, { attempt: ids.birchResult });
    await choose(people.ownerWithCode, { attempt: ids.cedarResult });
    expect(
      await whoReads(world, 'focus_areas', '*', (row) => nameOf(world, row.attempt_id)),
    ).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['alderResult'],
        otherOwner: ['birchResult'],
        ownerWithCode: ['cedarResult'],
        coach: ['alderResult'],
      }),
    );
  });

  test('A coach reads none from the moment in which sharing ends', async () => {
    const { sql, people, ids } = world;
    await choose(people.owner);
    const seen = async () =>
      (await asPerson(sql, people.coach, (tx) => tx`select id from public.focus_areas`)).length;
    expect(await seen()).toBe(1);
    const share = (shared: boolean) =>
      asPerson(
        sql,
        people.owner,
        (tx) => tx`select public.set_results_shared(${ids.alderEngagement}, ${shared})`,
      );
    await share(false);
    expect(await seen()).toBe(0);
    await share(true);
    expect(await seen()).toBe(1);
  });

  test('Nobody ends somebody else’s, and an ended one stays ended', async () => {
    const { sql, people } = world;
    const [area] = await choose(people.owner);
    for (const who of [people.otherOwner, people.coach, people.admin, people.colleague]) {
      expect(await refusalOf(end(who, area.id))).toBe('P0002 This focus area was not found.');
    }
    expect((await end(people.owner, area.id))[0]).toMatchObject({
      state: 'ended',
      actions: [{ state: 'dropped' }],
    });
    expect((await end(people.owner, area.id))[0].state).toBe('ended');
    expect(
      await refusalOf(
        sql`update public.focus_areas set state = 'open', ended_at = null where id = ${area.id}`,
      ),
    ).toBe('55000 This area was ended. Choose it again.');
  });
});

describe('Choosing', () => {
  test('Sent twice it stays one, and somebody else’s id is refused', async () => {
    const { people, ids } = world;
    const id = crypto.randomUUID();
    await choose(people.owner, { id });
    expect(await choose(people.owner, { id })).toHaveLength(1);
    expect(await refusalOf(choose(people.otherOwner, { id, attempt: ids.birchResult }))).toBe(
      '23505 This focus area exists already.',
    );
  });

  test('Two devices at once choose one area once', async () => {
    const { people } = world;
    const answers = await Promise.allSettled([choose(people.owner), choose(people.owner)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('Three areas at a time, each once, and each with a score', async () => {
    const { people, ids } = world;
    await choose(people.owner);
    expect(await refusalOf(choose(people.owner))).toBe('23505 You work on this area already.');
    expect(await refusalOf(choose(people.owner, { area: 'no-area' }))).toBe(
      '22023 Choose an area that has a score.',
    );
    expect(
      await refusalOf(choose(people.owner, { attempt: ids.alderOpen, area: 'web-design' })),
    ).toBe('22023 Choose an area that has a score.');
    await choose(people.owner, { area: 'web-design' });
    const [third] = (await choose(people.owner, { area: 'growth-strategy' })).slice(-1);
    expect(await refusalOf(choose(people.owner, { area: 'custom-research' }))).toBe(
      '55000 Three areas at a time are enough. End one of them first.',
    );
    await end(people.owner, third.id);
    expect(await choose(people.owner, { area: 'custom-research' })).toHaveLength(4);
  });

  test('Another business has its own three', async () => {
    const { sql, people, quiz } = world;
    const business = crypto.randomUUID();
    await asPerson(
      sql,
      people.owner,
      (tx) => tx`select public.create_business(${business}, 'Alder Catering')`,
    );
    const attempt = await createAttempt(sql, people.owner, { quiz, business, value: 1 });
    await choose(people.owner);
    const there = await choose(people.owner, { attempt });
    expect(there.map((each: { attempt_id: string }) => each.attempt_id)).toEqual([attempt]);
  });

  test('Says beside which field an action does not fit', async () => {
    const { people } = world;
    const body = '22023 Say what you will do, in 1 to 600 characters.';
    expect(await refusalOf(choose(people.owner, { body: ' ' }))).toBe(body);
    expect(await refusalOf(choose(people.owner, { body: null }))).toBe(body);
    expect(await refusalOf(choose(people.owner, { body: 'x'.repeat(601) }))).toBe(body);
    const due = '22023 Choose a day from today on, within a year.';
    expect(await refusalOf(choose(people.owner, { due: day(-3) }))).toBe(due);
    expect(await refusalOf(choose(people.owner, { due: day(400) }))).toBe(due);
    expect(await refusalOf(choose(people.owner, { due: null }))).toBe(due);
    const { count } = await world.sql`select from public.focus_areas`;
    expect(count).toBe(0);
  });

  test('Who deletes their account takes their focus areas along', async () => {
    const { sql, people, ids } = world;
    await choose(people.otherOwner, { attempt: ids.birchResult });
    await sql`delete from auth.users where id = ${people.otherOwner.userId}`;
    expect((await sql`select from public.focus_actions`).count).toBe(0);
  });
});
