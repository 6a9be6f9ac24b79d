import { beforeEach, expect, test } from 'vitest';
import { addDays, today } from '#lib/locale/dates.ts';
import type { Person } from '../../fixtures/database.ts';
import { expectReaders, openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as } = world;
const { visitor, owner } = people;
let area: string;
let action: string;
beforeEach(async () => {
  [area, action] = [crypto.randomUUID(), crypto.randomUUID()];
  await sql`delete from public.focus_areas`;
  await as(owner)`select public.choose_focus_area(
      ${area}, ${ids.alderResult}, 'sales-marketing', ${action}, 'Ask three customers', ${day(30)})`;
});

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const settle = (who: Person, state: string | null, id = action) =>
  as(who)`select public.settle_focus_action(${id}, ${state}) as focus`;
const change = (who: Person, body: string, due = day(20), id = action) =>
  as(who)`select public.change_focus_action(${id}, ${body}, ${due}, false) as focus`;
const add = (who: Person, id: string, to = area) =>
  as(who)`select public.add_focus_action(${id}, ${to}, 'Call five more', ${day(30)}) as focus`;
const stored = async (id = action) =>
  (await sql`select state, body, settled_at from public.focus_actions where id = ${id}`)[0];

test('Only the owner settles, changes or adds one', async () => {
  const refused = 'P0002 We can’t find this focus area.';
  for (const who of ['colleague', 'otherOwner', 'coach', 'otherCoach', 'admin'] as const) {
    const person = people[who];
    expect(await refusalOf(settle(person, 'done')), who).toBe(refused);
    expect(await refusalOf(change(person, 'Mine now')), who).toBe(refused);
    expect(await refusalOf(add(person, crypto.randomUUID())), who).toBe(refused);
  }
  expect(await refusalOf(settle(visitor, 'done'))).toMatch(/^42501 /);
  expect(await stored()).toMatchObject({ state: 'open', body: 'Ask three customers' });
});

test('Actions are read with their focus area', async () => {
  await expectReaders(world, 'focus_actions', 'body', {
    owner: ['Ask three customers'],
    coach: ['Ask three customers'],
  });
});

test('An action is done, opened again and dropped; the same step twice changes nothing', async () => {
  await settle(owner, 'done');
  const { settled_at } = (await stored()) as { settled_at: Date };
  await settle(owner, 'done');
  expect(await stored()).toMatchObject({ state: 'done', settled_at });
  await settle(owner, 'open');
  expect(await stored()).toMatchObject({ state: 'open', settled_at: null });
  await settle(owner, 'dropped');
  expect((await stored())?.state).toBe('dropped');
});

test('No other step is taken, by the owner of the database either', async () => {
  expect(await refusalOf(settle(owner, 'forgotten'))).toBe(
    '22023 An action is open, done or dropped.',
  );
  expect(await refusalOf(settle(owner, null))).toBe('22023 An action is open, done or dropped.');
  await settle(owner, 'done');
  const settled = '55000 This action is closed. Reopen it to change it.';
  expect(await refusalOf(settle(owner, 'dropped'))).toBe(settled);
  expect(await refusalOf(change(owner, 'Something else'))).toBe(settled);
  expect(
    await refusalOf(sql`update public.focus_actions set body = 'x' where id = ${action}`),
  ).toBe(settled);
});

test('One is open at a time, and the next one is made once', async () => {
  const next = crypto.randomUUID();
  expect(await refusalOf(add(owner, next))).toBe(
    '55000 One action at a time: finish or drop the open one first.',
  );
  await settle(owner, 'done');
  await add(owner, next);
  const [again] = await add(owner, next);
  expect(again?.focus[0].actions.map((each: { state: string }) => each.state)).toEqual([
    'open',
    'done',
  ]);
  expect(await refusalOf(settle(owner, 'open'))).toBe(
    '55000 Another action is open now. Finish or drop that one first.',
  );
});

test('A date that has passed may stay while the words change', async () => {
  await sql`update public.focus_actions set due_on = current_date - 40 where id = ${action}`;
  await change(owner, 'Ask three customers, by telephone', day(-40));
  expect((await stored())?.body).toBe('Ask three customers, by telephone');
  expect(await refusalOf(change(owner, 'Ask', day(-39)))).toBe(
    '22023 Choose a date within the next year.',
  );
});

test('An action is due today at the earliest, where its owner is', async () => {
  for (const zone of ['Pacific/Pago_Pago', 'America/Denver', 'Asia/Kolkata', 'Pacific/Apia']) {
    await sql`
      update public.profiles set time_zone = ${zone} where user_id = ${owner.userId}`;
    const dayThere = (ahead: number) => addDays(today(zone), ahead);
    for (const ahead of [-1, 367]) {
      expect(await refusalOf(change(owner, 'Ask', dayThere(ahead))), zone).toBe(
        '22023 Choose a date within the next year.',
      );
    }
    await change(owner, 'Ask', dayThere(0));
    await change(owner, 'Ask', dayThere(366));
  }
});

test('An area that was ended takes no action any more', async () => {
  await as(owner)`select public.end_focus_area(${area})`;
  const ended = '55000 You’ve stopped working on this area. Choose it again.';
  expect(await refusalOf(add(owner, crypto.randomUUID()))).toBe(ended);
  expect(await refusalOf(settle(owner, 'open'))).toBe(ended);
});
