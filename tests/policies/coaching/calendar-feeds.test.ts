import { expect, test } from 'vitest';
import { acceptClients, closeSession, scheduleSession } from '../../fixtures/coaching.ts';
import { expectCallers, openWorld, refusalOf } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, coach, otherCoach, admin } = people;
await acceptClients(world);

const tokenOf = async (who: typeof owner): Promise<string> => {
  const { path } = await ask(who, 'make_calendar_feed()');
  expect(path).toMatch(/^\/functions\/v1\/calendar\?token=[0-9a-f]{64}$/);
  return path.replace(/^.*=/, '');
};
const feedOf = async (token: string | null, caller: string | null = null) => {
  const [row] = await sql`select private.calendar_of(${caller}, ${token}) as feed`;
  return row?.feed;
};

test('Whoever is signed in creates and removes their feed, after their second factor', async () => {
  await expectCallers(world, 'make_calendar_feed()', 1, {});
  await expectCallers(world, 'remove_calendar_feed()', 1, {});
});

test('A feed has one’s own sessions and due dates, for the owner and for the coach', async () => {
  const planned = await scheduleSession(world, 30);
  const canceled = await scheduleSession(world, 60);
  await ask(owner, 'cancel_session($1, null)', [canceled]);
  await closeSession(world, { note: 'A private thought', summary: 'A summary' });
  const [own, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
  const add = 'add_coaching_action($1, $2, $3, $4, current_date + 7)';
  await ask(coach, add, [own, ids.alderEngagement, 'Call five customers', 'owner']);
  await ask(coach, add, [theirs, ids.alderEngagement, 'Send the price list', 'coach']);
  const project = crypto.randomUUID();
  await createProject(world, project);
  await sql`update public.projects set due_on = current_date + 9 where id = ${project}`;

  const feed = await feedOf(await tokenOf(owner));
  expect(feed.sessions).toHaveLength(3);
  expect(feed.sessions).toContainEqual({
    uid: `session-${planned}`,
    sequence: 0,
    starts_at: expect.any(String),
    minutes: 60,
    title: 'Coaching with Carla Coach',
    place: 'A link',
    description: 'Online',
    canceled: false,
    path: '/dashboard/coaching',
  });
  expect(feed.sessions).toContainEqual(
    expect.objectContaining({ uid: `session-${canceled}`, sequence: 1, canceled: true }),
  );
  expect(feed.due.map(({ title }: { title: string }) => title)).toEqual([
    'Answer every lead',
    'Call five customers',
  ]);
  const text = JSON.stringify(feed);
  for (const words of ['A private thought', 'A summary']) expect(text).not.toContain(words);

  const coached = await feedOf(await tokenOf(coach));
  expect(coached.sessions.map(({ title }: { title: string }) => title)).toEqual(
    Array(3).fill('Coaching: Alder Bakery'),
  );
  expect(coached.due.map(({ title }: { title: string }) => title)).toEqual(['Send the price list']);
});

test('A former coach’s feed has nothing of the client anymore', async () => {
  const token = await tokenOf(coach);
  await ask(admin, 'assign_coach($1, $2, $3)', [
    ids.alderEngagement,
    otherCoach.userId,
    'On leave',
  ]);
  expect(await feedOf(token)).toEqual({ sessions: [], due: [] });
});

test('A new address ends the old one, and a removed feed is gone', async () => {
  const old = await tokenOf(owner);
  const token = await tokenOf(owner);
  expect(await feedOf(old)).toBeNull();
  expect(await feedOf(token)).not.toBeNull();
  expect(await ask(owner, "get_coaching() -> 'calendar_since'")).toEqual(expect.any(String));
  expect(await ask(owner, 'remove_calendar_feed()')).toEqual({ removed: true });
  expect(await ask(owner, 'remove_calendar_feed()')).toEqual({ removed: false });
  expect(await feedOf(token)).toBeNull();
  expect(await ask(owner, "get_coaching() -> 'calendar_since'")).toBeNull();
});

test('The database keeps a hash, and an export not even that', async () => {
  const token = await tokenOf(owner);
  const [row] = await sql`select f::text as feed from public.calendar_feeds f`;
  expect(row?.feed).not.toContain(token);
  const { tables } = await ask(owner, 'export_account()');
  expect(tables.calendar_feeds).toEqual([
    { user_id: owner.userId, created_at: expect.any(String) },
  ]);
});

test('A blocked person’s feed answers like one that doesn’t exist', async () => {
  const token = await tokenOf(otherCoach);
  await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${otherCoach.userId}`;
  expect(await feedOf(token)).toBeNull();
  await sql`update auth.users set banned_until = null where id = ${otherCoach.userId}`;
  expect(await feedOf(token)).not.toBeNull();
  for (const wrong of ['', 'x', null]) expect(await feedOf(wrong)).toBeNull();
});

test('A feed is read 60 times an hour, and one caller asks 600 times', async () => {
  const token = await tokenOf(owner);
  await sql`delete from public.rate_limits`;
  await sql`
    select private.take_rate_limit(${`calendar:${owner.userId}`}, 60, interval '1 hour')
    from generate_series(1, 60)`;
  expect(await refusalOf(feedOf(token))).toMatch(/^PT429 Your calendar asked too often/);
  await sql`
    select private.take_rate_limit('calendar:caller', 600, interval '1 hour')
    from generate_series(1, 600)`;
  expect(await refusalOf(feedOf('guessed', 'caller'))).toMatch(/^PT429 /);
});
