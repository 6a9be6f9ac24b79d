import { expect, test } from 'vitest';
import {
  acceptClients,
  closeSession,
  hoursFromNow,
  scheduleSession,
} from '../../fixtures/coaching.ts';
import { expectReaders, openWorldForEach, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, ask } = world;
const { coach, otherCoach, owner, admin } = people;

/** What Alder Bakery has: only this many sessions, good for so many days. */
async function haveOnly(...grants: { sessions: number; days: number }[]): Promise<void> {
  await world.sql`delete from public.session_grants where business_id = ${ids.alder}`;
  for (const { sessions, days } of grants) {
    await world.sql`
      insert into public.session_grants (business_id, kind, source, bought, sessions, starts_at, ends_at)
      values (${ids.alder}, 'given', ${`days:${days}`}, ${sessions}, ${sessions},
        now() - interval '30 days', now() + make_interval(days => ${days}))`;
  }
}
const usedBy = async (id: string) => {
  const [row] = await world.sql`
    select g.source from public.session_uses u left join public.session_grants g on g.id = u.grant_id
    where u.session_id = ${id}`;
  return row ? row.source : 'nothing';
};
const left = async () => {
  const [row] = await world.sql`select private.sessions_left(${ids.alder}) as left`;
  return row?.left;
};

test('Members read what their business has, and nobody else does', async () => {
  await expectReaders(world, 'session_grants', 'business_id', {
    owner: ['alder'],
    colleague: ['alder'],
    otherOwner: ['birch'],
    ownerWithCode: ['cedar'],
  });
});

test('A session uses what ends first; a missed one counts too, and with nothing left it’s uncovered', async () => {
  await acceptClients(world);
  await haveOnly({ sessions: 1, days: 300 }, { sessions: 1, days: 20 });
  expect(await usedBy(await closeSession(world))).toBe('days:20');
  expect(await usedBy(await closeSession(world, { outcome: 'no_show' }))).toBe('days:300');
  expect(await left()).toBe(0);
  expect(await usedBy(await closeSession(world))).toBeNull();
});

test('Nothing can be planned with nothing left, or when all that’s left is scheduled', async () => {
  await acceptClients(world);
  await haveOnly();
  expect(await refusalOf(scheduleSession(world, 24))).toMatch(
    /^55000 This business has no sessions left/,
  );
  await haveOnly({ sessions: 1, days: 20 });
  const raced = await Promise.allSettled([scheduleSession(world, 24), scheduleSession(world, 48)]);
  expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await refusalOf(scheduleSession(world, 72))).toBe(
    '55000 Every session this business has left is already scheduled.',
  );
});

test('Its coach or an admin gives back what a session used, once, with a reason', async () => {
  await acceptClients(world);
  await haveOnly({ sessions: 1, days: 20 });
  const id = await closeSession(world);
  const waive = (who: typeof coach, reason = 'not a good fit') =>
    ask(who, 'waive_session($1, $2)', [id, reason]);
  for (const who of [owner, otherCoach, people.sponsor]) {
    expect(await refusalOf(waive(who))).toBe('P0002 We can’t find this session.');
  }
  expect(await refusalOf(waive(coach, ' '))).toMatch(/^22023 /);
  expect(await left()).toBe(0);
  await waive(coach);
  await waive(admin);
  expect(await left()).toBe(1);
});

test('A session can’t be planned or moved to a day on which none is left', async () => {
  await acceptClients(world);
  await haveOnly({ sessions: 2, days: 20 });
  const late =
    /^55000 The sessions this business has left are good until .* Choose an earlier time\.$/;
  expect(await refusalOf(scheduleSession(world, 21 * 24))).toMatch(late);
  const offer = "offer_times(gen_random_uuid(), $1, $2, 'America/Denver', 60, 'online', '')";
  const times = [hoursFromNow(30), hoursFromNow(21 * 24)];
  expect(await refusalOf(ask(coach, offer, [ids.alderEngagement, times]))).toMatch(late);

  const id = await scheduleSession(world, 24);
  const move = (hours: number) =>
    ask(coach, "move_session($1, $2, 60, 'phone', null)", [id, hoursFromNow(hours)]);
  expect(await refusalOf(move(21 * 24))).toMatch(late);
  await move(19 * 24);
  // The other one is scheduled as well: this one still moves, because it has its own.
  await scheduleSession(world, 48);
  await move(18 * 24);
  await haveOnly({ sessions: 1, days: 20 });
  // Only the place changes.
  await ask(
    coach,
    "move_session($1, (select starts_at from public.coaching_sessions where id = $1), 60, 'in_person', 'Café')",
    [id],
  );
});

test('Sessions of different grants don’t stand in each other’s way', async () => {
  await acceptClients(world);
  await haveOnly({ sessions: 1, days: 300 }, { sessions: 1, days: 20 });
  // What ends first is for what comes first, in whichever order they’re planned.
  await scheduleSession(world, 24 * 10);
  await scheduleSession(world, 24 * 200);
  expect(await refusalOf(scheduleSession(world, 24 * 12))).toBe(
    '55000 Every session this business has left is already scheduled.',
  );
  await haveOnly({ sessions: 1, days: 300 }, { sessions: 3, days: 20 });
  await scheduleSession(world, 24 * 12);
  expect(await refusalOf(scheduleSession(world, 24 * 100))).toBe(
    '55000 Every session this business has left is already scheduled.',
  );
});
