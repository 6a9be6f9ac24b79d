import { expect, test } from 'vitest';
import {
  acceptClients,
  closeSession,
  closing,
  hoursFromNow,
  scheduleSession,
} from '../../fixtures/coaching.ts';
import { createRequest } from '../../fixtures/engagements.ts';
import { expectCallers, expectReaders, openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as, ask, refusal } = world;
const { owner, ownerWithCode, coach, otherCoach, admin } = people;
const { alderEngagement, cedarEngagement } = ids;

const noEngagement = 'P0002 We can’t find this coaching.';
const noSession = 'P0002 We can’t find this session.';
const schedule = "schedule_session($1, $2, $3, 'America/Denver', 60, 'online', '')";

const notYet = await refusal(coach, schedule, [
  crypto.randomUUID(),
  alderEngagement,
  hoursFromNow(30),
]);
await acceptClients(world);
const planned = await scheduleSession(world, 24);
const closed = await closeSession(world);

const sessionOf = async (id: string) => {
  const [row] = await sql`select * from public.coaching_sessions where id = ${id}`;
  return row;
};
const notificationsOf = async (who: { userId: string }, key: string) =>
  (
    await sql`
      select title from public.notifications where user_id = ${who.userId} and key = ${key}`
  ).map(({ title }) => title);

test('Nothing is scheduled before the coach has accepted', () => {
  expect(notYet).toBe('55000 Accept this client first.');
});

test.each([
  [
    `schedule_session(gen_random_uuid(), '${alderEngagement}', now() + interval '50 hours', 'America/Denver', 60, 'phone', null)`,
    noEngagement,
    { coach: 1 },
  ],
  [
    `move_session('${planned}', now() + interval '60 hours', 60, 'phone', null)`,
    noSession,
    { coach: 1 },
  ],
  [`cancel_session('${planned}', null)`, noSession, { owner: 1, coach: 1 }],
  [
    `close_session(gen_random_uuid(), '${alderEngagement}', '${JSON.stringify(closing())}')`,
    noEngagement,
    { coach: 1 },
  ],
  [`change_summary('${closed}', 'Other words')`, noSession, { coach: 1 }],
  [`save_session_note('${closed}', 'Other words')`, noSession, { coach: 1 }],
  [`rate_session('${closed}', 4, null)`, noSession, { owner: 1 }],
  [
    `admin_read_session_note('${closed}', 'a complaint')`,
    '42501 Only an admin can do this.',
    { admin: 1 },
  ],
  [`get_session('${planned}')`, 1, {}],
])('Everyone else is refused %s', (call, refused, but) => expectCallers(world, call, refused, but));

test('Owners read their sessions, coaches those of their clients, an admin none', async () => {
  await expectReaders(world, 'coaching_sessions', "'session'", {
    owner: ['session'],
    coach: ['session'],
  });
});

test('A session’s page is for its owner and its coach', async () => {
  for (const who of [owner, coach]) {
    expect(await ask(who, 'get_session($1)', [planned])).toMatchObject({
      id: planned,
      engagement_id: alderEngagement,
      business: { id: ids.alder, name: 'Alder Bakery' },
      owner_name: 'Olive Owner',
      coach_name: 'Carla Coach',
      state: 'scheduled',
      place: 'A link',
      note: null,
    });
  }
  for (const who of [ownerWithCode, otherCoach, admin, people.colleague]) {
    expect(await ask(who, 'get_session($1)', [planned])).toBeNull();
  }
});

test.each([
  [
    'starts_at',
    { $3: hoursFromNow(-61 * 24) },
    'Choose a time within the last 60 days or the next year.',
  ],
  [
    'starts_at',
    { $3: hoursFromNow(366 * 24) },
    'Choose a time within the last 60 days or the next year.',
  ],
  ['starts_at', { $3: null }, 'Choose a time within the last 60 days or the next year.'],
  ['time_zone', { $4: 'Mars/Olympus' }, 'We don’t know this time zone. Choose one from the list.'],
  ['time_zone', { $4: null }, 'We don’t know this time zone. Choose one from the list.'],
  ['minutes', { $5: 14 }, 'A session takes 15 to 240 minutes.'],
  ['minutes', { $5: 241 }, 'A session takes 15 to 240 minutes.'],
  ['kind', { $6: 'telepathy' }, 'Say whether it’s in person, online or by phone.'],
  ['place', { $7: 'x'.repeat(301) }, 'Keep it to 300 characters.'],
  ['id', { $1: null }, 'A session needs an id.'],
])('A session with a wrong %s is refused: %j', async (_field, wrong, message) => {
  const right = {
    $1: crypto.randomUUID(),
    $2: alderEngagement,
    $3: hoursFromNow(80),
    $4: 'Asia/Kathmandu',
    $5: 60,
    $6: 'online',
    $7: '',
  };
  const call = 'schedule_session($1, $2, $3, $4, $5, $6, $7)';
  const values = Object.values({ ...right, ...wrong });
  expect(await refusal(coach, call, values)).toBe(`22023 ${message}`);
});

test('A coach is in one place at a time, whichever client it is', async () => {
  const id = await scheduleSession(world, 200);
  const at = (hours: number, engagement: string) => [
    crypto.randomUUID(),
    engagement,
    hoursFromNow(hours),
  ];
  for (const [hours, engagement] of [
    [200, cedarEngagement],
    [199.5, cedarEngagement],
    [200.9, alderEngagement],
  ] as const) {
    expect(await refusal(coach, schedule, at(hours, engagement))).toMatch(
      /^55000 You already have a session with Alder Bakery on \w+ \d+, \d{4} at [\d:]+ [AP]M UTC\. Choose another time\.$/,
    );
  }
  // Right before and right after.
  await ask(coach, schedule, at(199, cedarEngagement));
  const after = at(201, cedarEngagement);
  await ask(coach, schedule, after);
  expect(
    await refusal(coach, "move_session($1, $2, 60, 'online', '')", [after[0], hoursFromNow(200.5)]),
  ).toMatch(/^55000 You already have a session/);
  await ask(coach, 'cancel_session($1, null)', [id]);
  await ask(coach, schedule, at(200, cedarEngagement));
});

test('Sent twice, it’s one session and one notification', async () => {
  const id = crypto.randomUUID();
  const values = [id, alderEngagement, hoursFromNow(300)];
  for (let times = 0; times < 2; times += 1) {
    expect(await ask(coach, schedule, values)).toEqual({ id, state: 'scheduled' });
  }
  expect(await notificationsOf(owner, `session:${id}`)).toEqual([
    expect.stringMatching(/^Your coaching session is on \w+ \d+, \d{4} at/),
  ]);
  expect(await refusal(coach, schedule, [id, cedarEngagement, hoursFromNow(300)])).toBe(
    '23505 This session already exists.',
  );
});

test('A session of coaching that has ended isn’t moved', async () => {
  const { id: engagement } = await createRequest(world, owner);
  await ask(admin, "assign_coach($1, $2, 'near')", [engagement, coach.userId]);
  await ask(coach, 'accept_client($1)', [engagement]);
  const id = await scheduleSession(world, 500, { engagement });
  await sql`
    update public.coaching_sessions set starts_at = now() - interval '9 days' where id = ${id}`;
  await ask(owner, 'withdraw_coaching($1)', [engagement]);
  expect(
    await refusal(coach, "move_session($1, $2, 60, 'phone', null)", [id, hoursFromNow(20)]),
  ).toBe('55000 This coaching has ended.');
});

test('A session is moved and canceled, and each time the other one hears of it', async () => {
  const id = await scheduleSession(world, 400);
  const moved = [id, hoursFromNow(410)];
  const move = "move_session($1, $2, 90, 'phone', '(505) 555-0114')";
  for (let times = 0; times < 2; times += 1) await ask(coach, move, moved);
  expect(await sessionOf(id)).toMatchObject({ revision: 1, minutes: 90, kind: 'phone' });
  expect(await notificationsOf(owner, `session:${id}:1`)).toHaveLength(1);
  for (let times = 0; times < 2; times += 1) {
    expect(await ask(owner, 'cancel_session($1, $2)', [id, 'The oven broke.'])).toEqual({
      id,
      state: 'canceled',
    });
  }
  expect(await sessionOf(id)).toMatchObject({
    revision: 2,
    uses_one: false,
    cancel_reason: 'The oven broke.',
  });
  expect(await notificationsOf(coach, `session:${id}:canceled`)).toHaveLength(1);
  expect(await refusal(coach, move, moved)).toBe(
    '55000 This session is over or canceled. Schedule another one.',
  );
});

test('An owner doesn’t cancel a session that has begun; the coach does', async () => {
  const id = await scheduleSession(world, -0.5);
  expect(await refusal(owner, 'cancel_session($1, null)', [id])).toBe(
    '55000 This session has already started. Write to your coach instead.',
  );
  expect(await refusal(coach, 'cancel_session($1, $2)', [id, 'x'.repeat(501)])).toBe(
    '22023 Keep it to 500 characters.',
  );
  await ask(coach, 'cancel_session($1, null)', [id]);
});

test.each([
  [
    'update public.coaching_sessions set engagement_id =',
    'A session stays with its coaching and its coach.',
  ],
])('The owner of the database is refused as well: %s', async (statement, message) => {
  expect(
    await refusalOf(sql.unsafe(`${statement} '${cedarEngagement}' where id = '${planned}'`)),
  ).toBe(`55000 ${message}`);
});

test.each(['completed', 'no_show', 'canceled'])(
  'A session that is %s takes no other step, whoever writes it',
  async (state) => {
    const id = await scheduleSession(world, -1);
    await sql`update public.coaching_sessions set state = ${state} where id = ${id}`;
    for (const to of ['scheduled', 'completed', 'no_show', 'canceled']) {
      if (to === state) continue;
      expect(
        await refusalOf(sql`update public.coaching_sessions set state = ${to} where id = ${id}`),
      ).toBe(`55000 The session can’t go from ${state} to ${to}.`);
    }
    expect(await sessionOf(id)).toMatchObject({ uses_one: state !== 'canceled' });
  },
);

test('Coaches see their sessions only in their own clients’ engagements', async () => {
  const [row] = await as(
    otherCoach,
  )`select count(*)::int as sessions from public.coaching_sessions`;
  expect(row).toEqual({ sessions: 0 });
});
