import { expect, test } from 'vitest';
import { acceptClients, closeSession, scheduleSession } from '../../fixtures/coaching.ts';
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
