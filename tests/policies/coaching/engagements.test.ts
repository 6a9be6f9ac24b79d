import type { TransactionSql } from 'postgres';
import { expect, test } from 'vitest';
import { actAs } from '#backend/local/demo/builders.ts';
import { type Person, within } from '../../fixtures/database.ts';
import {
  everyone,
  expectCallers,
  expectReaders,
  nameOf,
  openWorld,
  refusalOf,
  undone,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as, ask, refusal } = world;
const { owner, colleague, otherOwner, coach, otherCoach, admin } = people;

const noEngagement = 'P0002 We can’t find this coaching.';

test.each([
  [
    `assign_coach('${ids.alderEngagement}', '${otherCoach.userId}', 'nearer')`,
    '42501 Only an admin can do this.',
    { admin: 1 },
  ],
  [`set_results_shared('${ids.alderEngagement}', true)`, noEngagement, { owner: 1 }],
  [
    `request_coaching(gen_random_uuid(), '${ids.birch}', null, '{}', false)`,
    '42501 You don’t belong to this business.',
    { otherOwner: '23505 You’ve already asked for a coach for this business.' },
  ],
  [`withdraw_coaching('${ids.alderEngagement}')`, noEngagement, { owner: 1 }],
  [`withdraw_coaching('${ids.cedarEngagement}')`, noEngagement, { ownerWithCode: 1 }],
])('Everyone else is refused %s', (call, refused, but) => expectCallers(world, call, refused, but));

test('Owners read their engagements, coaches those assigned to them, an admin none', async () => {
  await expectReaders(world, 'engagements', 'id', {
    owner: ['alderEngagement'],
    otherOwner: ['birchEngagement'],
    ownerWithCode: ['cedarEngagement'],
    coach: ['alderEngagement', 'cedarEngagement'],
  });
});

test('The same people read the events of an engagement, without the notes of staff', async () => {
  const denied = '42501 permission denied for table engagement_events';
  expect(await whoMay(world, (tx) => tx`select note from public.engagement_events`)).toEqual(
    everyone(denied),
  );
  const alder = ['alderEngagement requested', 'alderEngagement state_changed'];
  const cedar = ['cedarEngagement requested', 'cedarEngagement state_changed'];
  const read = await whoReads(
    world,
    'engagement_events',
    'engagement_id, kind',
    ({ engagement_id, kind }) => `${nameOf(world, engagement_id)} ${kind}`,
  );
  expect(read).toEqual(
    everyone([], {
      visitor: denied,
      owner: alder,
      otherOwner: ['birchEngagement requested'],
      ownerWithCode: cedar,
      coach: [...alder, ...cedar],
    }),
  );
});

test('The coaching page gets an owner’s engagements, and those of nobody else', async () => {
  for (const [who, id] of [
    [owner, ids.alderEngagement],
    [otherOwner, ids.birchEngagement],
  ] as const) {
    const { engagements, areas } = await ask(who, 'get_coaching()');
    expect(engagements).toMatchObject([{ id }]);
    expect(areas).toHaveLength(8);
  }
  expect(await ask(coach, 'get_coaching()')).toMatchObject({ engagements: [] });
});

const actingAs = <Result>(
  tx: TransactionSql,
  { userId, email }: Person,
  work: () => Promise<Result>,
) => actAs(within(tx), { id: userId ?? '', email: email ?? '' }, work);

const withdraw = (tx: TransactionSql) =>
  actingAs(tx, owner, () => tx`select withdraw_coaching(${ids.alderEngagement}) as done`.execute());

/** Puts the engagement into a state, even one that no procedure leads to yet. */
async function put(tx: TransactionSql, state: string) {
  await tx`alter table public.engagements disable trigger user`;
  await tx`
    update public.engagements set state = ${state},
      coach_id = ${state === 'requested' ? null : coach.userId},
      closed_at = ${['completed', 'unreachable', 'ineligible'].includes(state) ? new Date() : null}
    where id = ${ids.alderEngagement}`;
  await tx`alter table public.engagements enable trigger user`;
}

test.each([
  [['juggling'], '', '22023 Choose from the skill areas.'],
  [[], 'x'.repeat(2001), '22023 Keep it to 2,000 characters.'],
])('A request for the areas %j is refused: %#', async (areas, note, refused) => {
  const values = [ids.alder, note, areas];
  const call = 'request_coaching(gen_random_uuid(), $1, $2, $3, false)';
  expect(await refusal(colleague, call, values)).toBe(refused);
});

test('Sent twice under one id, it is one request; another person is refused under it', async () => {
  const id = crypto.randomUUID();
  // Without characters that can't be seen.
  const call = "request_coaching($1, $2, E'\\u0007 Hi\\u202E\\n\\n', '{}', false)";
  for (let times = 0; times < 2; times += 1) {
    expect(await ask(colleague, call, [id, ids.alder])).toMatchObject({
      id,
      state: 'requested',
      note: 'Hi',
    });
  }
  expect(await refusal(otherOwner, call, [id, ids.birch])).toBe(
    '23505 This request already exists.',
  );
});

test('A coach must be one, and not the owner', async () => {
  const notCoach = '22023 Choose someone who’s a coach.';
  for (const [id, chosen, reason, refused] of [
    [ids.birchEngagement, owner.userId, 'near', notCoach],
    [ids.birchEngagement, null, 'near', notCoach],
    [ids.birchEngagement, coach.userId, '', '22023 Give a reason of 3 to 2,000 characters.'],
    [crypto.randomUUID(), coach.userId, 'near', noEngagement],
  ]) {
    expect(await refusal(admin, 'assign_coach($1, $2, $3)', [id, chosen, reason])).toBe(refused);
  }
});

test.each([
  [
    `update public.engagements set business_id = '${ids.birch}'`,
    'An engagement stays with its owner and business.',
  ],
  [
    `update public.engagements set owner_id = '${admin.userId}'`,
    'An engagement stays with its owner and business.',
  ],
  ['delete from public.engagements', 'An engagement is closed, never removed.'],
  [
    `update public.engagements set coach_id = '${coach.userId}' where state = 'requested'`,
    'A coach is assigned to a request.',
  ],
  [
    `insert into public.engagements (id, business_id, state) values (gen_random_uuid(), '${ids.birch}', 'active')`,
    'A new engagement can’t be active.',
  ],
])('The owner of the database is refused as well: %s', async (statement, refused) => {
  expect(await refusalOf(sql.unsafe(statement))).toBe(`55000 ${refused}`);
});

test.each(['completed', 'unreachable', 'ineligible'])(
  'Coaching that is %s is not withdrawn',
  (state) =>
    undone(sql, async (tx) => {
      await put(tx, state);
      expect(await refusalOf(tx.savepoint(withdraw))).toBe(
        '55000 This coaching has already ended.',
      );
    }),
);

test.each(['requested', 'assigned', 'accepted', 'active', 'paused'])(
  'An owner withdraws coaching that is %s: recorded once, and the coach is told',
  (state) =>
    undone(sql, async (tx) => {
      await put(tx, state);
      await tx`delete from private.jobs where kind = 'mail'`;
      const [last] = await tx`select max(id) as id from public.engagement_events`;
      // A double click, or a retry after a lost response, counts once.
      for (let times = 0; times < 2; times += 1) {
        const [row] = await withdraw(tx);
        expect(row?.done).toEqual({ id: ids.alderEngagement, state: 'withdrawn' });
      }
      const events = await tx`
        select ev.engagement_id, kind, from_state, to_state, actor_id, closed_at is null as open
        from public.engagement_events ev join public.engagements e on e.id = ev.engagement_id
        where ev.id > ${last?.id}`;
      expect(events).toEqual([
        {
          engagement_id: ids.alderEngagement,
          kind: 'state_changed',
          from_state: state,
          to_state: 'withdrawn',
          actor_id: owner.userId,
          open: false,
        },
      ]);
      const told = {
        to_address: coach.email,
        subject: 'Alder Bakery has withdrawn from coaching',
      };
      expect(await tx`select to_address, data ->> 'subject' as subject from private.mails`).toEqual(
        state === 'requested' ? [] : [told],
      );
    }),
);

test('A coach reads nothing of a client who withdrew, who can ask again', () =>
  undone(sql, async (tx) => {
    const { alder, alderEngagement, alderResult } = ids;
    const seen = () =>
      actingAs(
        tx,
        coach,
        () => tx`
          select
            (select count(*)::int from public.engagements where id = ${alderEngagement}) as engagements,
            (select count(*)::int from public.businesses where id = ${alder}) as businesses,
            (select count(*)::int from public.attempts where id = ${alderResult}) as attempts,
            (select count(*)::int from public.area_scores where attempt_id = ${alderResult}) as scores`,
      );
    expect(await seen()).toEqual([{ engagements: 1, businesses: 1, attempts: 1, scores: 8 }]);
    await withdraw(tx);
    expect(await seen()).toEqual([{ engagements: 0, businesses: 0, attempts: 0, scores: 0 }]);
    const again = crypto.randomUUID();
    const [row] = await actingAs(
      tx,
      owner,
      () => tx`select request_coaching(${again}, ${alder}, null, '{}', false) as made`,
    );
    expect(row?.made).toMatchObject({ id: again, state: 'requested' });
  }));

test('A request is assigned and handed over, each step once, in the events and the audit log', async () => {
  const { birchEngagement } = ids;
  for (const [chosen, reason] of [
    [coach, 'near'],
    [coach, 'near'],
    [otherCoach, 'on leave'],
  ] as const) {
    const values = [birchEngagement, chosen.userId, reason];
    expect(await ask(admin, 'assign_coach($1, $2, $3)', values)).toMatchObject({
      state: 'assigned',
    });
  }
  const events = await sql`
    select kind, from_state, to_state, note, actor_id from public.engagement_events
    where engagement_id = ${birchEngagement} order by id`;
  expect(events.map((event) => Object.values(event))).toEqual([
    ['requested', null, 'requested', null, otherOwner.userId],
    ['state_changed', 'requested', 'assigned', 'near', admin.userId],
    ['coach_changed', 'assigned', 'assigned', 'on leave', admin.userId],
    // What was shared was shared with the coach before.
    ['sharing_changed', 'assigned', 'assigned', null, admin.userId],
  ]);
  const audited = await sql`
    select reason from public.audit_log
    where action = 'engagement.assign' and entity_id = ${birchEngagement} order by id`;
  expect(audited).toEqual([{ reason: 'near' }, { reason: 'on leave' }]);
});

test('A coach whose account is gone can be replaced, and loses the business of an owner who is gone', async () => {
  await sql`delete from auth.users where id = ${otherCoach.userId}`;
  const values = [ids.birchEngagement, coach.userId];
  expect(await ask(admin, "assign_coach($1, $2, 'back')", values)).toMatchObject({
    state: 'assigned',
  });
  const seen = () => as(coach)`select id from public.businesses where id = ${ids.birch}`;
  expect(await seen()).toHaveLength(1);
  await sql`delete from auth.users where id = ${otherOwner.userId}`;
  expect(await seen()).toEqual([]);
});

test('An engagement that can be withdrawn has no time of closing', async () => {
  const engagement = sql`public.engagements where id = ${ids.cedarEngagement}`;
  expect(await sql`select closed_at from ${engagement}`).toEqual([{ closed_at: null }]);
  await sql`update public.engagements set state = 'withdrawn' where id = ${ids.cedarEngagement}`;
  expect(await sql`select closed_at from ${engagement}`).toEqual([{ closed_at: expect.any(Date) }]);
  const again = sql`
    update public.engagements set state = 'assigned' where id = ${ids.cedarEngagement}`;
  expect(await refusalOf(again)).toBe('55000 The engagement can’t go from withdrawn to assigned.');
});
