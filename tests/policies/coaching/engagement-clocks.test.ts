import { expect, test } from 'vitest';
import {
  createCoach,
  createRequest,
  dayFromNow,
  moveBack,
  tryToReach,
} from '../../fixtures/engagements.ts';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { coach, admin } = people;
await raiseLimits(sql, 'all');
const owner = await createNewcomer(world);

const clockOf = async (id: string) => {
  const [row] = await sql`
    select e.due_what, e.due_at, e.state, e.state_since, e.assigned_at, e.accepted_at, e.resume_on::text
    from public.engagements e where e.id = ${id}`;
  return row;
};
const endAfter = async (from: unknown, days: number) => {
  const [row] = await sql`select private.business_day_end(${from as Date}, ${days}) as at`;
  return row?.at;
};
/** A request that a coach of its own has accepted. */
async function accepted() {
  const [{ id }, its] = [await createRequest(world, owner), await createCoach(world)];
  await ask(owner, 'choose_coach($1, $2)', [id, its.userId]);
  await ask(its, 'accept_client($1)', [id]);
  return { id, coach: its };
}
const run = async () => {
  const [row] = await sql`select private.run_coaching_clocks() as done`;
  return row?.done;
};
const heard = async (who: { userId: string }, id: string) =>
  (
    await sql`
      select title from public.notifications
      where user_id = ${who.userId} and path like ${`/dashboard/coaching%`}
        and (key like ${`%${id}%`}) order by created_at, title`
  ).map(({ title }) => title.replace(/Business \w+/, 'them'));

test('Each state says what has to happen next, and by when', async () => {
  const { id } = await createRequest(world, owner);
  let clock = await clockOf(id);
  expect(clock).toMatchObject({
    due_what: 'assign',
    due_at: await endAfter(clock?.state_since, 3),
  });
  await ask(owner, 'choose_coach($1, $2)', [id, coach.userId]);
  clock = await clockOf(id);
  expect(clock).toMatchObject({
    due_what: 'accept',
    due_at: await endAfter(clock?.assigned_at, 5),
  });
  await ask(coach, 'accept_client($1)', [id]);
  clock = await clockOf(id);
  expect(clock).toMatchObject({
    due_what: 'contact',
    due_at: await endAfter(clock?.accepted_at, 2),
  });
  await ask(coach, "log_contact(gen_random_uuid(), $1, 'email', true)", [id]);
  expect(await clockOf(id)).toMatchObject({ due_what: 'plan' });
  await sql`select private.start_coaching(${id})`;
  clock = await clockOf(id);
  const [stale] = await sql`select private.stale_after(${clock?.state_since}) as at`;
  expect(clock).toMatchObject({ due_what: 'plan', due_at: stale?.at });
  const until = await dayFromNow(sql, 9);
  await ask(owner, 'pause_coaching($1, $2)', [id, until]);
  const [resume] = await sql`select private.day_end(${until}::date) as at`;
  expect(await clockOf(id)).toMatchObject({
    due_what: 'resume',
    due_at: resume?.at,
    resume_on: until,
  });
  await ask(coach, "complete_coaching($1, 'Well done.')", [id]);
  expect(await clockOf(id)).toMatchObject({ due_what: null, due_at: null, resume_on: null });
});

test('Times to pick from, a session and its writing up come before anything else', async () => {
  const { id, coach: its } = await accepted();
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const session = (hours: number) => sql`
    insert into public.coaching_sessions (id, engagement_id, coach_id, starts_at, time_zone, minutes, kind)
    values (gen_random_uuid(), ${id}, ${its.userId}, ${at(hours)}, 'America/Denver', 60, 'phone')`;
  await sql`
    insert into public.session_offers (id, engagement_id, coach_id, times, time_zone, minutes, kind)
    values (gen_random_uuid(), ${id}, ${its.userId}, array[${at(50)}, ${at(30)}]::timestamptz[], 'America/Denver', 60, 'phone')`;
  const times = async () => {
    const clock = await clockOf(id);
    return [clock?.due_what, Math.round((clock?.due_at.getTime() - Date.now()) / 3_600_000)];
  };
  expect(await times()).toEqual(['pick', 30]);
  await session(20);
  expect(await times()).toEqual(['session', 20]);
  await session(-3);
  const clock = await clockOf(id);
  expect(clock).toMatchObject({ due_what: 'write_up', due_at: await endAfter(at(-2), 2) });
});

test('What wasn’t answered in time goes back, once, and everyone concerned is notified', async () => {
  const [{ id }, slow] = [await createRequest(world, owner), await createCoach(world)];
  await ask(owner, 'choose_coach($1, $2)', [id, slow.userId]);
  expect(await run()).toMatchObject({ lapsed: 0 });
  await moveBack(sql, id, 15);
  expect(await run()).toMatchObject({ lapsed: 1 });
  expect(await clockOf(id)).toMatchObject({ state: 'requested', due_what: 'assign' });
  const [event] = await sql`
    select note, actor_id, details from public.engagement_events
    where engagement_id = ${id} and kind = 'state_changed' order by id desc limit 1`;
  expect(event).toEqual({
    note: 'lapsed',
    actor_id: null,
    details: { from_coach_id: slow.userId, why: 'lapsed' },
  });
  expect(await heard(owner, id)).toEqual(['New Comer can’t take on your request']);
  expect(await heard(slow, id)).toContain('Someone else will coach them');
  const [told] = await sql`
    select count(*)::int as times from public.notifications
    where user_id = ${admin.userId} and title like '%needs a coach again' and key like ${`%${id}%`}`;
  expect(told).toEqual({ times: 1 });
});

test('Coaches are reminded once of what is due, and owner and coach of a pause that ends', async () => {
  const asked = await createRequest(world, owner);
  const [busy, quiet] = [await createCoach(world), await accepted()];
  await ask(owner, 'choose_coach($1, $2)', [asked.id, busy.userId]);
  const resting = await accepted();
  await sql`select private.start_coaching(${resting.id})`;
  await ask(owner, 'pause_coaching($1, $2)', [resting.id, await dayFromNow(sql, 2)]);
  const idle = await accepted();
  await sql`select private.start_coaching(${idle.id})`;
  await run();
  for (const [who, id] of [
    [busy, asked.id],
    [quiet.coach, quiet.id],
    [resting.coach, resting.id],
  ] as const) {
    expect(
      (await heard(who, id)).filter((title) => /Say yes|Get in touch|ends/.test(title)),
    ).toEqual([]);
  }

  // A week later: the answer is due today or tomorrow, and nobody was called.
  await sql`alter table public.engagements disable trigger user`;
  await sql`
    update public.engagements set due_at = now() + interval '2 hours' where id = ${asked.id}`;
  await sql`update public.engagements set resume_on = private.coaching_day() where id = ${resting.id}`;
  await sql`alter table public.engagements enable trigger user`;
  await moveBack(sql, quiet.id, 7);
  await moveBack(sql, idle.id, 20);
  expect(await run()).toMatchObject({ reminded: 3, resumed: 2 });
  expect(await heard(busy, asked.id)).toContain('Say yes or no to them');
  expect(await heard(quiet.coach, quiet.id)).toContain('Get in touch with them');
  expect(await heard(idle.coach, idle.id)).toContain('Plan a next session with them');
  const ends = 'The pause of coaching for them ends today';
  expect(await heard(owner, resting.id)).toContain(ends);
  expect(await heard(resting.coach, resting.id)).toContain(ends);
  // It lasts until one of them picks it up.
  expect(await clockOf(resting.id)).toMatchObject({ state: 'paused' });
});

test('Run again at once, the clocks do nothing', async () => {
  await run();
  const count = async () => {
    const [row] = await sql`
      select (select count(*) from public.engagement_events) as events,
        (select count(*) from public.notifications) as notifications,
        (select count(*) from private.jobs) as jobs,
        (select max(updated_at) from public.engagements) as changed`;
    return row;
  };
  const before = await count();
  expect(await run()).toMatchObject({ lapsed: 0, resumed: 0, reminded: 0 });
  expect(await count()).toEqual(before);
});

test('Two runs at the same moment do everything once', async () => {
  const [{ id }, slow] = [await createRequest(world, owner), await createCoach(world)];
  await ask(owner, 'choose_coach($1, $2)', [id, slow.userId]);
  await moveBack(sql, id, 15);
  const runs = await Promise.all([run(), run(), run()]);
  expect(runs.reduce((sum, { lapsed }) => sum + lapsed, 0)).toBe(1);
  expect(await heard(owner, id)).toHaveLength(1);
});

test('A session that has ended has to be written up, without anybody doing anything', async () => {
  const { id, coach: its } = await accepted();
  await sql`
    insert into public.coaching_sessions (id, engagement_id, coach_id, starts_at, time_zone, minutes, kind)
    values (gen_random_uuid(), ${id}, ${its.userId}, now() + interval '1 hour', 'UTC', 60, 'phone')`;
  await sql`alter table public.coaching_sessions disable trigger user`;
  await sql`
    update public.coaching_sessions set starts_at = now() - interval '2 hours' where engagement_id = ${id}`;
  await sql`alter table public.coaching_sessions enable trigger user`;
  await sql`alter table public.engagements disable trigger user`;
  await sql`update public.engagements set due_at = now() - interval '2 hours' where id = ${id}`;
  await sql`alter table public.engagements enable trigger user`;
  expect(await clockOf(id)).toMatchObject({ due_what: 'session' });
  const [late] =
    await sql`select private.is_late(e) as late from public.engagements e where id = ${id}`;
  expect(late).toEqual({ late: false });
  await run();
  expect(await clockOf(id)).toMatchObject({ due_what: 'write_up' });
});

test('A coach gives up only after three attempts over ten days since they last reached the owner', async () => {
  const { id, coach: its } = await accepted();
  const refused =
    '55000 First try to reach them at least three times over at least ten days, and log each attempt.';
  const log = (daysAgo: number, reached = false) =>
    ask(
      its,
      `log_contact(gen_random_uuid(), $1, 'phone', $2, null, now() - interval '${daysAgo} days')`,
      [id, reached],
    );
  const giveUp = () => world.refusal(its, 'mark_unreachable($1)', [id]);
  await moveBack(sql, id, 40);
  expect(await giveUp()).toBe(refused);
  await log(30);
  await log(18);
  await log(17, true);
  // Two of them were before they talked.
  await log(12);
  await log(8);
  expect(await giveUp()).toBe(refused);
  await log(4);
  // Eight days.
  expect(await giveUp()).toBe(refused);
  await log(1);
  await ask(its, 'mark_unreachable($1)', [id]);
});

test('An attempt has a time since the coach was asked that has passed, and is stored once', async () => {
  const { id, coach: its } = await accepted();
  const call = 'log_contact($1, $2, $3, $4, $5, $6)';
  const entry = crypto.randomUUID();
  for (const [values, refused] of [
    [[null, id, 'phone', true, null, null], '22023 An entry needs an id.'],
    [[entry, id, 'pigeon', true, null, null], '22023 Choose how you tried to reach them.'],
    [[entry, id, 'phone', null, null, null], '22023 Say whether you reached them.'],
    [[entry, id, 'phone', true, 'x'.repeat(501), null], '22023 Keep it to 500 characters.'],
    [
      [entry, id, 'phone', true, null, new Date(Date.now() + 3_600_000)],
      '22023 Choose a time that has passed.',
    ],
    [[entry, id, 'phone', true, null, new Date(0)], '22023 Choose a time since you were asked.'],
  ] as const) {
    expect(await world.refusal(its, call, [...values])).toBe(refused);
  }
  for (let times = 0; times < 2; times += 1) {
    await ask(its, call, [entry, id, 'phone', true, 'Busy', null]);
  }
  const rows =
    await sql`select note, coach_id from public.contact_attempts where engagement_id = ${id}`;
  expect([...rows]).toEqual([{ note: 'Busy', coach_id: its.userId }]);
  const other = await accepted();
  expect(await world.refusal(other.coach, call, [entry, other.id, 'phone', true, null, null])).toBe(
    '23505 This entry already exists.',
  );
});

test('Once the owner is back, the attempts before don’t count', async () => {
  const { id, coach: its } = await accepted();
  await tryToReach(world, its, id);
  await ask(its, 'mark_unreachable($1)', [id]);
  await ask(owner, 'resume_contact($1)', [id]);
  expect(await clockOf(id)).toMatchObject({ state: 'accepted', due_what: 'contact' });
  expect(await world.refusal(its, 'mark_unreachable($1)', [id])).toMatch(/^55000 First try/);
});
