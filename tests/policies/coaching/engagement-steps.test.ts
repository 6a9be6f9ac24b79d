import type { TransactionSql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { ENGAGEMENT_STATES, type EngagementState, isOpenEngagement } from '#domain/engagement.ts';
import type { Person } from '../../fixtures/database.ts';
import {
  createCoach,
  createRequest,
  dayFromNow,
  engagementInEachState,
} from '../../fixtures/engagements.ts';
import { createNewcomer, openWorld, refusalOf, undone } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { coach, otherCoach, otherOwner, admin, visitor } = people;

const owner = await createNewcomer(world);
const former = await createCoach(world);
const ids = await engagementInEachState(world, owner, former);
const until = await dayFromNow(sql, 20);

/** Who tries, and what they are to the engagements above; undefined: nothing. */
const ROLES: Record<string, [who: Person, part: string | undefined]> = {
  owner: [owner, 'owner'],
  'another owner': [otherOwner, undefined],
  'the coach': [coach, 'coach'],
  'another coach': [otherCoach, undefined],
  'the coach before': [former, undefined],
  'an admin': [admin, 'admin'],
  'a visitor': [visitor, undefined],
};

/** The procedures that lead to each state; $ is the engagement. */
const STEPS: Record<EngagementState, string[]> = {
  requested: ["decline_client($, 'no time')", "unassign_coach($, 'on leave')"],
  assigned: [`choose_coach($, '${coach.userId}')`, `assign_coach($, '${coach.userId}', 'near')`],
  accepted: ['accept_client($)', 'resume_contact($)'],
  active: ['resume_coaching($)', 'reopen_coaching($)'],
  paused: [`pause_coaching($, '${until}')`],
  completed: ["complete_coaching($, 'Well done.')", "close_engagement($, 'over')"],
  withdrawn: ['withdraw_coaching($)'],
  unreachable: ['mark_unreachable($)'],
  ineligible: ["refer_elsewhere($, 'a bank', 'Ask a bank.')"],
};

/** What the product does by itself. */
const SYSTEM: Record<string, (tx: TransactionSql, id: string) => Promise<unknown>> = {
  'closes a first session': (tx, id) => tx`select private.start_coaching(${id})`,
  'hears from the owner': (tx, id) => tx`select private.hear_from_owner(${id})`,
  'loses the coach': (tx) => tx`select private.free_clients(${coach.userId}, 'gone')`,
  'loses the owner': (tx, id) => tx`
    select private.withdraw_coaching(e.business_id, e.owner_id, 'gone')
    from public.engagements e where e.id = ${id}`,
};

const transitions = await sql<{ from: EngagementState; to: EngagementState; who: string[] }[]>`
  select from_state as from, to_state as to, who from private.transitions
  where entity = 'engagement' and from_state is not null`;
const movesOf = (part: string | undefined, from: EngagementState) =>
  transitions
    .filter((step) => step.from === from && part !== undefined && step.who.includes(part))
    .map(({ to }) => to)
    .toSorted();

/** Everything that a step could leave behind, also elsewhere. */
async function tracesIn(tx: TransactionSql, id: string) {
  const [row] = await tx`
    select
      (select to_jsonb(e) from public.engagements e where e.id = ${id}) as engagement,
      (select jsonb_agg(e order by e.id) from public.engagements e where e.id <> ${id}) as others,
      (select count(*) from public.engagement_events) as events,
      (select count(*) from public.handovers) as handovers,
      (select count(*) from public.contact_attempts) as contacts,
      (select count(*) from public.notifications) as notifications,
      (select count(*) from private.jobs) as jobs`;
  return row;
}

/**
 * Takes a step, rolls it back, and says where it led: a state, `refused` or `nothing`.
 * @param alone it may change other engagements
 */
async function outcomeOf(
  id: string,
  take: (tx: TransactionSql) => Promise<unknown>,
  alone = false,
) {
  let outcome = '';
  await undone(sql, async (tx) => {
    const before = await tracesIn(tx, id);
    const refused = await tx
      .savepoint(take)
      .then(() => false)
      .catch((error) => {
        expect(error.code, error.message).toMatch(/^(42501|P0002|55000|22023)$/);
        return true;
      });
    await tx`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)`;
    const after = await tracesIn(tx, id);
    const state = after?.engagement.state;
    const moved = state !== before?.engagement.state;
    if (moved || alone)
      expect(after?.engagement.due_at === null).toBe(!isOpenEngagement({ state }));
    else expect(after).toEqual(before);
    outcome = refused ? 'refused' : moved ? state : 'nothing';
  });
  return outcome;
}

const calling = (who: Person, call: string) => async (tx: TransactionSql) => {
  const claims = { role: who.role, aud: 'authenticated', sub: who.userId, aal: 'aal1' };
  await tx`select
    set_config('request.jwt.claims', ${who.userId ? JSON.stringify(claims) : '{}'}, true),
    set_config('request.jwt.claim.sub', ${who.userId ?? ''}, true),
    set_config('role', ${who.role ?? 'anon'}, true)`;
  await tx.unsafe(`select public.${call}`);
};

describe.each(Object.keys(ROLES))('As %s', (role) => {
  const [who, part] = ROLES[role] as (typeof ROLES)[string];

  test.each(ENGAGEMENT_STATES)(
    'what the matrix allows from %s happens, and nothing else',
    async (from) => {
      const reached = new Set<string>();
      for (const [to, calls] of Object.entries(STEPS)) {
        for (const call of calls) {
          const id = ids[from];
          const outcome = await outcomeOf(id, calling(who, call.replace('$', `'${id}'`)));
          if (outcome === 'refused') continue;
          if (outcome === 'nothing') {
            // Done already, as when an answer was lost, or it's the coach that they already have.
            const same = call.startsWith('assign_coach') && isOpenEngagement({ state: from });
            expect(same ? to : from, call).toBe(to);
            continue;
          }
          expect(outcome, call).toBe(to);
          reached.add(outcome);
        }
      }
      expect([...reached].toSorted()).toEqual(movesOf(part, from));
    },
  );
});

test.each(ENGAGEMENT_STATES)('The product takes from %s only its own steps', async (from) => {
  const reached = new Set<string>();
  for (const take of Object.values(SYSTEM)) {
    const outcome = await outcomeOf(ids[from], (tx) => take(tx, ids[from]), true);
    if (outcome !== 'refused' && outcome !== 'nothing') reached.add(outcome);
  }
  expect([...reached].toSorted()).toEqual(movesOf('system', from));
});

test.each(ENGAGEMENT_STATES)(
  'Even the owner of the database takes only known steps from %s',
  async (from) => {
    for (const to of ENGAGEMENT_STATES) {
      if (to === from) continue;
      const known = transitions.some((step) => step.from === from && step.to === to);
      const work = undone(
        sql,
        (tx) => tx`
          update public.engagements
          set state = ${to}, coach_id = coalesce(coach_id, ${coach.userId}),
            resume_on = case when ${to} = 'paused' then ${until}::date end
          where id = ${ids[from]}`,
      );
      if (known) await work;
      else
        expect(await refusalOf(work)).toBe(`55000 The engagement can’t go from ${from} to ${to}.`);
    }
  },
);

test('Each step is recorded with who took it, why, and whose it was', async () => {
  const { id } = await createRequest(world, owner);
  await ask(owner, 'choose_coach($1, $2)', [id, former.userId]);
  await ask(former, "decline_client($1, 'no time')", [id]);
  // The answer got lost.
  await ask(former, "decline_client($1, 'no time')", [id]);
  await ask(admin, "assign_coach($1, $2, 'near')", [id, coach.userId]);
  await ask(coach, 'accept_client($1)', [id]);
  const events = await sql`
    select kind, to_state, note, actor_id, details from public.engagement_events
    where engagement_id = ${id} order by id`;
  expect(events.map((event) => Object.values(event))).toEqual([
    ['requested', 'requested', null, owner.userId, {}],
    ['state_changed', 'assigned', null, owner.userId, { coach_id: former.userId }],
    [
      'state_changed',
      'requested',
      'no time',
      former.userId,
      { from_coach_id: former.userId, why: 'declined' },
    ],
    ['sharing_changed', 'requested', null, former.userId, { results_shared: false }],
    ['state_changed', 'assigned', 'near', admin.userId, { coach_id: coach.userId }],
    ['state_changed', 'accepted', null, coach.userId, { coach_id: coach.userId }],
  ]);
});

test('Who is concerned by a step is notified of it once', async () => {
  const { id } = await createRequest(world, owner);
  const heard = async (who: { userId: string }) =>
    (
      await sql`
        select title from public.notifications
        where user_id = ${who.userId} and key like ${`%${id}%`} order by created_at, title`
    ).map(({ title }) => title.replace(/Business \w+/, 'They'));
  expect(await heard(admin)).toEqual(['They asks for a coach']);
  await ask(owner, 'choose_coach($1, $2)', [id, former.userId]);
  expect(await heard(former)).toEqual(['They would like you as their coach']);
  await ask(former, "decline_client($1, 'no time')", [id]);
  expect(await heard(owner)).toEqual(['New Comer can’t take on your request']);
  expect(await heard(admin)).toContain('They needs a coach again');
  await ask(admin, "assign_coach($1, $2, 'near', null, 'Carla knows shops.')", [id, coach.userId]);
  await ask(coach, 'accept_client($1)', [id]);
  expect(await heard(coach)).toEqual(['They would like you as their coach']);
  expect(await heard(owner)).toEqual([
    'New Comer can’t take on your request',
    'Carla Coach has your request',
    'Carla Coach is your coach',
  ]);
});

test('A session without its second factor takes no step', async () => {
  const { ownerWithoutCode } = people;
  for (const call of Object.values(STEPS).flat()) {
    const words = call.replace('$', `'${world.ids.cedarEngagement}'`);
    expect(await world.refusal(ownerWithoutCode, words), call).toBe(
      '42501 Enter the code from your authenticator app first.',
    );
  }
});
