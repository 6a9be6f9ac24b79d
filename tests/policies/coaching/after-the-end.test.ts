import { expect, test } from 'vitest';
import {
  acceptClients,
  closeSession,
  closing,
  hoursFromNow,
  scheduleSession,
} from '../../fixtures/coaching.ts';
import { openWorldForEach, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, ask, refusal } = world;
const { owner, coach, otherCoach, admin } = people;
const { alderEngagement } = ids;

const OVER = '55000 This coaching has ended.';
const close = 'close_session($1, $2, $3)';

/** The ways in which a coach loses Alder Bakery. */
const ENDS = {
  'the owner withdrew': () => ask(owner, 'withdraw_coaching($1)', [alderEngagement]),
  'someone else took over': () =>
    ask(admin, "assign_coach($1, $2, 'on leave')", [alderEngagement, otherCoach.userId]),
  'an admin took the client away': () =>
    ask(admin, "unassign_coach($1, 'on leave')", [alderEngagement]),
};
const ends = Object.entries(ENDS);

/** A session that began this many hours ago, and that nobody has written up. */
async function begun(hours = 2): Promise<string> {
  await acceptClients(world);
  return scheduleSession(world, -hours);
}
const sessionOf = async (id: string) => {
  const [row] = await world.sql`
    select s.state, s.summary, s.uses_one, s.revision, e.state as engagement
    from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id
    where s.id = ${id}`;
  return row;
};
const toldOf = async (key: string) =>
  (
    await world.sql`
      select u.email, n.title, n.body, n.path from public.notifications n
      join auth.users u on u.id = n.user_id where n.key = ${key} order by u.email`
  ).map((row) => ({ ...row }));

test('A note and a summary can’t be changed once the owner has withdrawn', async () => {
  await acceptClients(world);
  const id = await closeSession(world);
  await ask(owner, 'withdraw_coaching($1)', [alderEngagement]);
  expect(await refusal(coach, 'save_session_note($1, $2)', [id, 'More'])).toBe(OVER);
  expect(await refusal(coach, 'change_summary($1, $2)', [id, 'More'])).toBe(OVER);
});

test('After the end of completed coaching, the page offers what can be changed, for 30 days', async () => {
  await acceptClients(world);
  const id = await closeSession(world);
  await ask(coach, "complete_coaching($1, 'Well done.')", [alderEngagement]);
  expect(await ask(coach, 'get_session($1)', [id])).toMatchObject({ can_change_summary: true });
  await ask(coach, 'change_summary($1, $2)', [id, 'In other words.']);
  await ask(coach, 'save_session_note($1, $2)', [id, 'A thought.']);
  await world.sql`alter table public.coaching_sessions disable trigger user`;
  await world.sql`
    update public.coaching_sessions set closed_at = now() - interval '31 days' where id = ${id}`;
  await world.sql`alter table public.coaching_sessions enable trigger user`;
  expect(await ask(coach, 'get_session($1)', [id])).toMatchObject({ can_change_summary: false });
  expect(await refusal(coach, 'change_summary($1, $2)', [id, 'Late'])).toBe(
    '55000 You can change a summary for 30 days.',
  );
});

test.each(ends)(
  'After %s, the coach still writes up what had begun, and no more',
  async (_, end) => {
    const id = await begun();
    await end();
    expect(await toldOf(`session:${id}:write-up`)).toEqual([
      {
        email: coach.email,
        title: 'Write up your session with Alder Bakery',
        body: expect.stringContaining('After that we’ll cancel it, and it won’t count.'),
        path: `/dashboard/coaching/sessions/${id}`,
      },
    ]);
    expect(await ask(coach, 'get_session($1)', [id])).toMatchObject({
      can_write_up: true,
      is_over: true,
      business: { name: 'Alder Bakery' },
    });
    const before = await sessionOf(id);
    const said = closing({
      actions: [{ id: crypto.randomUUID(), body: 'Call someone', doer: 'owner' }],
      figures: { id: crypto.randomUUID(), full_time: 9 },
      next: { id: crypto.randomUUID(), starts_at: hoursFromNow(200), minutes: 60, kind: 'phone' },
    });
    // The second time, the answer to the first was lost.
    for (let times = 0; times < 2; times += 1) {
      expect(await ask(coach, close, [id, alderEngagement, said])).toEqual({
        id,
        state: 'completed',
      });
    }
    expect(await sessionOf(id)).toMatchObject({
      state: 'completed',
      summary: 'We went through the leads.',
      uses_one: true,
      engagement: before?.engagement,
    });
    const [stored] = await world.sql`
    select (select count(*)::int from public.coaching_sessions) as sessions,
      (select count(*)::int from public.coaching_actions) as actions,
      (select count(*)::int from public.business_snapshots) as figures`;
    expect(stored).toEqual({ sessions: 1, actions: 0, figures: 0 });
    expect(await ask(coach, 'get_session($1)', [id])).toBeNull();
    expect(
      await refusalOf(ask(coach, close, [crypto.randomUUID(), alderEngagement, closing()])),
    ).toMatch(/^(P0002|55000) /);
    expect(await refusal(otherCoach, close, [id, alderEngagement, closing()])).toMatch(
      /^(P0002|23505) /,
    );
  },
);

test.each(ends)(
  'After %s and 14 days, a session that nobody wrote up is canceled, and both are told once',
  async (_, end) => {
    const id = await begun(13 * 24 + 2);
    const ahead = await scheduleSession(world, 30);
    await end();
    await world.sql`select private.run_coaching_clocks()`;
    expect(await sessionOf(id)).toMatchObject({ state: 'scheduled' });
    await world.sql`
      update public.coaching_sessions set starts_at = starts_at - interval '1 day' where id = ${id}`;
    expect(await refusal(coach, close, [id, alderEngagement, closing()])).toBe(
      '55000 Your coaching has ended, and sessions can be written up for 14 days.',
    );
    expect(await ask(coach, 'get_session($1)', [id])).toBeNull();
    for (let times = 0; times < 2; times += 1)
      await world.sql`select private.run_coaching_clocks()`;
    expect(await sessionOf(id)).toMatchObject({ state: 'canceled', uses_one: false });
    const [next] = await world.sql`
      select u.email from public.engagements e join auth.users u on u.id = e.coach_id
      where e.id = ${alderEngagement} and e.closed_at is null`;
    expect((await toldOf(`session:${id}:canceled`)).map(({ email }) => email)).toEqual(
      [owner.email, next?.email].filter((email) => email !== undefined).sort(),
    );
    expect(await sessionOf(ahead)).toMatchObject({ state: 'canceled' });
  },
);

test('A coach who still has the client can write a session up at any time', async () => {
  const id = await begun(20 * 24);
  await world.sql`select private.run_coaching_clocks()`;
  expect(await sessionOf(id)).toMatchObject({ state: 'scheduled' });
  await ask(coach, close, [id, alderEngagement, closing({ starts_at: hoursFromNow(-20 * 24) })]);
  expect(await sessionOf(id)).toMatchObject({ state: 'completed' });
});

test('Someone who isn’t a coach anymore writes nothing up', async () => {
  const id = await begun();
  await world.sql`delete from public.staff_roles where user_id = ${coach.userId}`;
  expect(await toldOf(`session:${id}:write-up`)).toEqual([]);
  expect(await ask(coach, 'get_session($1)', [id])).toBeNull();
  expect(await refusal(coach, close, [id, alderEngagement, closing()])).toBe(
    'P0002 We can’t find this coaching.',
  );
});
