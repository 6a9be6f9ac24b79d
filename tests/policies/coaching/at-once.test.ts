import { expect, test } from 'vitest';
import { acceptClients, closeSession, closing, hoursFromNow } from '../../fixtures/coaching.ts';
import type { Person } from '../../fixtures/database.ts';
import { createCoach, createRequest } from '../../fixtures/engagements.ts';
import {
  createNewcomer,
  openWorld,
  pause,
  refusalOf,
  someoneWaits,
} from '../../fixtures/personas.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, coach, admin } = people;
const { alderEngagement } = ids;
const call = (who: Person, text: string, ...values: unknown[]) => ask(who, text, values);

await raiseLimits(sql, 'all');
await acceptClients(world);

/** How many of several things that people do at once are done, and why the others aren't. */
async function atOnce(work: (() => Promise<unknown>)[]) {
  const outcomes = await Promise.allSettled(work.map((each) => each()));
  return {
    done: outcomes.filter(({ status }) => status === 'fulfilled').length,
    refused: [
      ...new Set(
        outcomes.flatMap((each) =>
          each.status === 'rejected' ? [String(each.reason.message)] : [],
        ),
      ),
    ],
  };
}

/** A coach who takes so many clients, and requests of new owners. */
async function fullCoach(capacity: number, requests: number) {
  const its = await createCoach(world);
  await call(its, "save_my_coaching('', '{}', '{}', $1, true, null)", capacity);
  const asked = [];
  for (let each = 0; each < requests; each += 1) {
    const client = await createNewcomer(world);
    asked.push({ client, ...(await createRequest(world, client)) });
  }
  return { its, asked };
}
const clientsOf = async ({ userId }: { userId: string }) => {
  const [row] = await sql`select private.client_count(${userId}) as count`;
  return row?.count;
};

test('Of 20 owners who choose a coach with one place at once, one gets it', async () => {
  const { its, asked } = await fullCoach(1, 20);
  const { done, refused } = await atOnce(
    asked.map(
      ({ client, id }) =>
        () =>
          call(client, 'choose_coach($1, $2)', id, its.userId),
    ),
  );
  expect(done).toBe(1);
  expect(refused).toEqual([expect.stringContaining('as many clients as they take (1)')]);
  expect(await clientsOf(its)).toBe(1);
});

test('Of two owners who pick coaching up again with a coach who has one place, one does', async () => {
  const { its, asked } = await fullCoach(2, 2);
  for (const { client, id } of asked) {
    await call(client, 'choose_coach($1, $2)', id, its.userId);
    await call(its, 'accept_client($1)', id);
    await sql`select private.start_coaching(${id})`;
    await call(its, "complete_coaching($1, 'Well done.')", id);
  }
  await call(its, "save_my_coaching('', '{}', '{}', 1, true, null)");
  const { done } = await atOnce(
    asked.map(
      ({ client, id }) =>
        () =>
          call(client, 'reopen_coaching($1)', id),
    ),
  );
  expect(done).toBe(1);
  expect(await clientsOf(its)).toBe(1);
});

test('Steps that meet leave coaching whole: a yes with a withdrawal, and two admins with two coaches', async () => {
  const { its, asked } = await fullCoach(50, 6);
  const rival = await createCoach(world);
  for (const { client, id } of asked) {
    await call(client, 'choose_coach($1, $2)', id, its.userId);
    await atOnce([
      () => call(its, 'accept_client($1)', id),
      () => call(admin, "assign_coach($1, $2, 'near')", id, rival.userId),
      () => call(admin, "assign_coach($1, $2, 'far')", id, its.userId),
      () => call(client, 'withdraw_coaching($1)', id),
    ]);
    const [row] = await sql`
      select e.state, e.closed_at is not null as closed, e.due_at, (
        select count(*)::int from public.engagement_events v
        where v.engagement_id = e.id and v.to_state = 'withdrawn'
      ) as withdrawn
      from public.engagements e where e.id = ${id}`;
    expect(row).toEqual({ state: 'withdrawn', closed: true, due_at: null, withdrawn: 1 });
  }
  expect(await clientsOf(its)).toBe(0);
});

test('A session that two devices close at once is stored once, and an offer is picked once', async () => {
  const id = crypto.randomUUID();
  const close = (summary: string) => () =>
    call(coach, 'close_session($1, $2, $3)', id, alderEngagement, closing({ summary }));
  expect((await atOnce([close('One'), close('Other'), close('Third')])).done).toBe(3);
  const stored = await sql`
    select s.summary, (select count(*)::int from public.session_uses u where u.session_id = s.id) as uses,
      (select count(*)::int from public.notifications n where n.key = 'session:' || s.id || ':closed') as told
    from public.coaching_sessions s where s.id = ${id}`;
  expect(stored).toEqual([
    { summary: expect.stringMatching(/^(One|Other|Third)$/), uses: 1, told: 1 },
  ]);

  const offer = crypto.randomUUID();
  const times = [hoursFromNow(300), hoursFromNow(320)];
  const offering = "offer_times($1, $2, $3, 'America/Denver', 60, 'online', '')";
  await call(coach, offering, offer, alderEngagement, times);
  const picks = await atOnce(
    [0, 1, 0, 1].map(
      (each) => () => call(owner, 'pick_time($1, gen_random_uuid(), $2)', offer, times[each]),
    ),
  );
  expect(picks).toEqual({ done: 1, refused: ['You’ve already picked a time.'] });
});

test('An id that exists elsewhere is refused, and says nothing about what it belongs to', async () => {
  const { its, asked } = await fullCoach(5, 1);
  const [{ client, id: engagement }] = asked as [(typeof asked)[number]];
  await call(client, 'choose_coach($1, $2)', engagement, its.userId);
  await call(its, 'accept_client($1)', engagement);
  await closeSession(world);
  const add = "add_coaching_action(gen_random_uuid(), $1, 'Call Ann', 'owner', null)";
  await call(coach, add, alderEngagement);
  const recommend = "recommend(gen_random_uuid(), $1, 'project', null, 'A project', null, null)";
  await call(coach, recommend, alderEngagement);
  await call(coach, "log_contact(gen_random_uuid(), $1, 'phone', true)", alderEngagement);
  const [taken] = await sql`
    select
      (select id from public.coaching_sessions where engagement_id = ${alderEngagement} limit 1) as session,
      (select id from public.session_offers where engagement_id = ${alderEngagement} limit 1) as offer,
      (select id from public.coaching_actions where engagement_id = ${alderEngagement} limit 1) as action,
      (select id from public.coach_recommendations where engagement_id = ${alderEngagement} limit 1) as project,
      (select id from public.contact_attempts where engagement_id = ${alderEngagement} limit 1) as contact`;
  const times = [hoursFromNow(500), hoursFromNow(520)];
  const refusals = await Promise.all(
    (
      [
        [
          "schedule_session($1, $2, $3, 'America/Denver', 60, 'online', null)",
          taken?.session,
          times[0],
        ],
        ['close_session($1, $2, $3)', taken?.session, closing()],
        ["offer_times($1, $2, $3, 'America/Denver', 60, 'online', null)", taken?.offer, times],
        ["add_coaching_action($1, $2, $3, 'owner', null)", taken?.action, 'Mine'],
        ["recommend($1, $2, 'project', null, $3, null, null)", taken?.project, 'Mine'],
        ['log_contact($1, $2, $3, true)', taken?.contact, 'phone'],
      ] as const
    ).map(([text, existing, value]) => refusalOf(call(its, text, existing, engagement, value))),
  );
  for (const said of refusals) expect(said).toMatch(/^23505 This \w+ already exists\.$/);
});

test.each<[string, (id: string, to: string, client: Person) => Promise<unknown>]>([
  ['An owner', (id, to, client) => call(client, 'choose_coach($1, $2)', id, to)],
  ['An admin', (id, to) => call(admin, "assign_coach($1, $2, 'For a reason')", id, to)],
])(
  '%s who chooses a coach at the moment that coach leaves holds nothing that the leaving waits for',
  async (_, choose) => {
    const { its, asked } = await fullCoach(1, 1);
    const [{ client, id }] = asked as [(typeof asked)[number]];
    const leaving = await pause(sql, admin, async (tx) => {
      await tx`reset role`;
      await tx`select private.free_clients(${its.userId}, 'They leave')`;
    });
    const chosen = choose(id, its.userId, client);
    await someoneWaits(sql);
    await sql`select from public.engagements where id = ${id} for update nowait`;
    await leaving.finish();
    await chosen;
    expect(await clientsOf(its)).toBe(1);
  },
);
