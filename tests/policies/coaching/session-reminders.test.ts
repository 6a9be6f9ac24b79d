import { expect, test } from 'vitest';
import { acceptClients, hoursFromNow, scheduleSession } from '../../fixtures/coaching.ts';
import { openWorldForEach } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, ask } = world;
const { owner, coach } = people;
const { alderEngagement } = ids;

const remind = async () => {
  const [row] = await world.sql`select private.remind_of_sessions() as done`;
  return row?.done;
};
const none = { expired: 0, canceled: 0, day: 0, hour: 0, actions: 0 };
const told = async (who: { userId: string }, key: string) =>
  (
    await world.sql`
      select title from public.notifications
      where user_id = ${who.userId} and key like ${`${key}%`} order by key`
  ).map(({ title }) => title);

/** Lets a session start so many hours from now, as if it had been planned a week ago. */
async function plannedLongAgo(hours: number): Promise<string> {
  const id = await scheduleSession(world, 300);
  await world.sql`alter table public.coaching_sessions disable trigger user`;
  await world.sql`
    update public.coaching_sessions set starts_at = ${hoursFromNow(hours)},
      updated_at = now() - interval '7 days' where id = ${id}`;
  await world.sql`alter table public.coaching_sessions enable trigger user`;
  return id;
}

test('A day and an hour ahead, owner and coach are reminded, each once', async () => {
  await acceptClients(world);
  const id = await plannedLongAgo(23);
  expect(await remind()).toEqual({ ...none, day: 2 });
  expect(await remind()).toEqual(none);
  expect(await told(owner, `session:${id}:0:day`)).toEqual([
    'Your session with Carla Coach is coming up',
  ]);
  expect(await told(coach, `session:${id}:0:day`)).toEqual([
    'Your session with Alder Bakery is coming up',
  ]);
  const soon = await plannedLongAgo(0.9);
  expect(await remind()).toMatchObject({ hour: 2 });
  expect(await told(owner, `session:${soon}:0:hour`)).toEqual([
    'Your session with Carla Coach starts soon',
  ]);
  expect(await remind()).toEqual(none);
});

test('Whoever has just planned a session isn’t reminded of it, and nobody of a canceled one', async () => {
  await acceptClients(world);
  await scheduleSession(world, 20);
  const id = await plannedLongAgo(10);
  await ask(owner, 'cancel_session($1, null)', [id]);
  expect(await remind()).toEqual(none);
});

test('Times that have all passed are over, and the coach offers others', async () => {
  await acceptClients(world);
  const id = crypto.randomUUID();
  await ask(coach, "offer_times($1, $2, $3, 'UTC', 60, 'phone', null)", [
    id,
    alderEngagement,
    [hoursFromNow(10), hoursFromNow(20)],
  ]);
  await world.sql`
    update public.session_offers set times = ${[hoursFromNow(-20), hoursFromNow(5)]} where id = ${id}`;
  expect(await remind()).toEqual(none);
  await world.sql`
    update public.session_offers set times = ${[hoursFromNow(-20), hoursFromNow(-1)]} where id = ${id}`;
  expect(await remind()).toEqual({ ...none, expired: 1 });
  expect(await remind()).toEqual(none);
  expect(await told(coach, `offer:${id}:expired`)).toEqual(['Alder Bakery hasn’t picked a time']);
});

test('On the day an action is due where its doer is, they’re reminded, once for each date', async () => {
  await acceptClients(world);
  await world.sql`update public.profiles set time_zone = 'Pacific/Kiritimati' where user_id = ${owner.userId}`;
  const add = 'add_coaching_action($1, $2, $3, $4, (now() at time zone $5)::date)';
  const [own, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
  await ask(owner, add, [own, alderEngagement, 'Call Ann', 'owner', 'Pacific/Kiritimati']);
  await ask(coach, add, [theirs, alderEngagement, 'Send a list', 'coach', 'UTC']);
  expect(await remind()).toEqual({ ...none, actions: 2 });
  expect(await remind()).toEqual(none);
  expect(await told(owner, `action-due:${own}`)).toEqual(['Due today: Call Ann']);
  expect(await told(coach, `action-due:${theirs}`)).toEqual(['Due today: Send a list']);
});

test('What’s done, or in coaching that has ended, isn’t due anymore', async () => {
  await acceptClients(world);
  const add = 'add_coaching_action($1, $2, $3, $4, current_date)';
  const id = crypto.randomUUID();
  await ask(owner, add, [id, alderEngagement, 'Call Ann', 'owner']);
  await ask(owner, "settle_coaching_action($1, 'done')", [id]);
  await ask(owner, add, [crypto.randomUUID(), alderEngagement, 'Call Ben', 'owner']);
  await ask(owner, 'withdraw_coaching($1)', [alderEngagement]);
  expect(await remind()).toEqual(none);
});
