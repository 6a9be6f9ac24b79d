import { beforeEach, expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import {
  createAttempt,
  expectCallers,
  expectReaders,
  openWorld,
  refusalOf,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, quiz, as, ask } = world;
const { owner, colleague, otherOwner, ownerWithCode, coach, admin } = people;
beforeEach(() => sql`delete from public.focus_areas`);

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface Choice {
  id?: string;
  attempt?: string;
  area?: string;
  action?: string;
  body?: string | null;
  due?: string | null;
}

/** Chooses an area as a person; returns the resulting focus areas. */
async function choose(who: Person, choice: Choice = {}) {
  const given = {
    id: crypto.randomUUID(),
    attempt: ids.alderResult,
    area: 'sales-marketing',
    action: crypto.randomUUID(),
    body: 'Ask three customers',
    due: day(30),
    ...choice,
  };
  return ask(who, 'choose_focus_area($1, $2, $3, $4, $5, $6 )', [
    given.id,
    given.attempt,
    given.area,
    given.action,
    given.body,
    given.due,
  ]);
}

const end = (who: Person, id: string) =>
  as(who)`select public.end_focus_area(${id}) as focus`.then(([row]) => row?.focus);

test('Owners choose from their own results, and nobody for them', async () => {
  const gone = 'P0002 We can’t find this attempt.';
  await expectCallers(
    world,
    `choose_focus_area( '${crypto.randomUUID()}', '${ids.alderResult}', 'sales-marketing', '${crypto.randomUUID()}', 'Ask three customers', '${day(30)}')`,
    gone,
    { owner: 1 },
  );
});

test('Owners read their own, the assigned coach what is shared, and nobody else', async () => {
  await choose(owner);
  await choose(otherOwner, { attempt: ids.birchResult });
  await choose(ownerWithCode, { attempt: ids.cedarResult });
  await expectReaders(world, 'focus_areas', 'attempt_id', {
    owner: ['alderResult'],
    otherOwner: ['birchResult'],
    ownerWithCode: ['cedarResult'],
    coach: ['alderResult'],
  });
});

test('A coach reads none from the moment in which sharing ends', async () => {
  await choose(owner);
  const seen = async () => (await as(coach)`select id from public.focus_areas`).length;
  expect(await seen()).toBe(1);
  const share = (shared: boolean) =>
    as(owner)`select public.set_results_shared(${ids.alderEngagement}, ${shared})`;
  await share(false);
  expect(await seen()).toBe(0);
  await share(true);
  expect(await seen()).toBe(1);
});

test('Nobody ends somebody else’s, and an ended one stays ended', async () => {
  const [area] = await choose(owner);
  for (const who of [otherOwner, coach, admin, colleague]) {
    expect(await refusalOf(end(who, area.id))).toBe('P0002 We can’t find this focus area.');
  }
  expect((await end(owner, area.id))[0]).toMatchObject({
    state: 'ended',
    actions: [{ state: 'dropped' }],
  });
  expect((await end(owner, area.id))[0].state).toBe('ended');
  expect(
    await refusalOf(
      sql`update public.focus_areas set state = 'open', ended_at = null where id = ${area.id}`,
    ),
  ).toBe('55000 You’ve stopped working on this area. Choose it again.');
});

test('Sent twice it stays one, and somebody else’s id is refused', async () => {
  const id = crypto.randomUUID();
  await choose(owner, { id });
  expect(await choose(owner, { id })).toHaveLength(1);
  expect(await refusalOf(choose(otherOwner, { id, attempt: ids.birchResult }))).toBe(
    '23505 This focus area already exists.',
  );
});

test('Two devices at once choose one area once', async () => {
  const answers = await Promise.allSettled([choose(owner), choose(owner)]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('Three areas at a time, each once, and each with a score', async () => {
  await choose(owner);
  expect(await refusalOf(choose(owner))).toBe('23505 You’re already working on this area.');
  expect(await refusalOf(choose(owner, { area: 'no-area' }))).toBe(
    '22023 Choose an area that has a score.',
  );
  expect(await refusalOf(choose(owner, { attempt: ids.alderOpen, area: 'web-design' }))).toBe(
    '22023 Choose an area that has a score.',
  );
  await choose(owner, { area: 'web-design' });
  const [third] = (await choose(owner, { area: 'growth-strategy' })).slice(-1);
  expect(await refusalOf(choose(owner, { area: 'custom-research' }))).toBe(
    '55000 You can work on three areas at a time. Stop working on one first.',
  );
  await end(owner, third.id);
  expect(await choose(owner, { area: 'custom-research' })).toHaveLength(4);
});

test('Another business has its own three', async () => {
  const business = crypto.randomUUID();
  await as(owner)`select public.create_business(${business}, 'Alder Catering')`;
  const attempt = await createAttempt(sql, owner, { quiz, business, value: 1 });
  await choose(owner);
  const there = await choose(owner, { attempt });
  expect(there.map((each: { attempt_id: string }) => each.attempt_id)).toEqual([attempt]);
});

test('An action that does not fit is refused with its field', async () => {
  const body = '22023 Say what you’ll do, in 1 to 600 characters.';
  expect(await refusalOf(choose(owner, { body: ' ' }))).toBe(body);
  expect(await refusalOf(choose(owner, { body: null }))).toBe(body);
  expect(await refusalOf(choose(owner, { body: 'x'.repeat(601) }))).toBe(body);
  const due = '22023 Choose a date within the next year.';
  expect(await refusalOf(choose(owner, { due: day(-3) }))).toBe(due);
  expect(await refusalOf(choose(owner, { due: day(400) }))).toBe(due);
  expect(await refusalOf(choose(owner, { due: null }))).toBe(due);
  const { count } = await sql`select from public.focus_areas`;
  expect(count).toBe(0);
});

test('Who deletes their account takes their focus areas along', async () => {
  await choose(otherOwner, { attempt: ids.birchResult });
  await sql`delete from auth.users where id = ${otherOwner.userId}`;
  expect((await sql`select from public.focus_actions`).count).toBe(0);
});
