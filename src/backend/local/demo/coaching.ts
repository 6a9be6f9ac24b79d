import { type RawBuilder, sql } from 'kysely';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { type BuiltPerson, idOf, queryAs } from './builders.ts';
import { type DemoRequest, demoCoaches } from './clients.ts';
import { type DateChange, dayAgo, daysAgo } from './dates.ts';
import { demoOwners } from './owners.ts';
import { DENVER, known } from './people.ts';

type People = Map<string, BuiltPerson>;

/** What coaches say about themselves, with the procedure that they'd use. */
export async function describeCoaches(db: Database, people: People): Promise<void> {
  for (const { email, about, areas, industries, capacity, languages } of demoCoaches) {
    const coach = known(people, email);
    await queryAs(db, coach)`
      select public.save_my_coaching(${about}, ${[...areas]}, ${[...industries]}, ${capacity}, true)`;
    await queryAs(db, coach)`
      update public.profiles set languages = ${[...languages]} where user_id = ${coach.id}`;
  }
}

/** Takes a request through its steps and sessions, with the procedures that its people would use. */
export async function makeEngagement(
  db: Database,
  request: DemoRequest,
  people: People,
): Promise<DateChange[]> {
  const business = demoOwners.find(({ email }) => email === request.owner)?.businesses[0];
  const id = idOf(`engagement ${request.owner}`);
  await queryAs(db, known(people, request.owner))`
    select public.request_coaching(
      ${id}, ${idOf(`business ${business?.name}`)}, ${request.note}, ${[...request.areas]},
      ${request.shared})`;
  if (request.coach) {
    const coach = known(people, request.coach);
    await queryAs(db, known(people, 'admin@demo.test'))`
      select public.assign_coach(${id}, ${coach.id}, 'Has worked with businesses like this one.')`;
    await queryAs(db, coach)`select public.accept_client(${id})`;
    await queryAs(db, known(people, 'admin@demo.test'))`
      select public.give_sessions(
        ${idOf(`sessions ${request.owner}`)}, ${idOf(`business ${business?.name}`)}, 8, 12,
        'A pilot that the county paid for.')`;
    await holdSessions(db, { id, coach, owner: known(people, request.owner) }, request);
  }
  return [...datesOfSteps(id, request), ...datesOfSessions(request)];
}

const sessionId = ({ owner }: DemoRequest, place: number | 'next') =>
  idOf(`session ${owner} ${place}`);
const actionId = (session: string, place: number) => idOf(`action ${session} ${place}`);

/** So many days from now at ten in the morning in Denver, give or take the season. */
const inDays = (days: number) => {
  const at = new Date(Date.now() + days * 86_400_000);
  at.setUTCHours(17, 0, 0, 0);
  return at.toISOString();
};

async function holdSessions(
  db: Database,
  { id, coach, owner }: { id: string; coach: BuiltPerson; owner: BuiltPerson },
  request: DemoRequest,
): Promise<void> {
  for (const [place, session] of request.sessions.entries()) {
    const held = sessionId(request, place);
    const { minutes, kind, topics, summary, note, actions = [] } = session;
    const said = {
      // Their dates are moved back later: a session is written up within 60 days.
      starts_at: new Date(Date.now() - (request.sessions.length - place) * 7_200_000).toISOString(),
      time_zone: DENVER,
      outcome: 'completed',
      ...{ minutes, kind, topics, summary, note },
      actions: actions.map(({ body, doer, dueIn, area, tool }, n) => ({
        id: actionId(held, n),
        due_on: dayAgo(-Math.max(dueIn, 1)),
        area_key: area ?? null,
        tool_slug: tool ?? null,
        ...{ body, doer },
      })),
    };
    await queryAs(db, coach)`
      select public.close_session(${held}, ${id}, ${JSON.stringify(said)}::jsonb)`;
    for (const [n, { doer, doneAgo }] of actions.entries()) {
      if (doneAgo === undefined) continue;
      await queryAs(db, doer === 'owner' ? owner : coach)`
        select public.settle_coaching_action(${actionId(held, n)}, 'done')`;
    }
  }
  if (request.nextIn) {
    await queryAs(db, coach)`
      select public.schedule_session(
        ${sessionId(request, 'next')}, ${id}, ${inDays(request.nextIn)}, ${DENVER}, 60, 'in_person',
        'At the bakery, after the morning rush')`;
  }
  if (request.offersIn) {
    await queryAs(db, coach)`
      select public.offer_times(
        ${idOf(`offer ${request.owner}`)}, ${id}, ${request.offersIn.map(inDays)}::timestamptz[],
        ${DENVER}, 60, 'online', 'A link follows by email')`;
  }
}

function datesOfSteps(id: string, request: DemoRequest): DateChange[] {
  const requested = daysAgo(request.daysAgo);
  const [assigned, accepted, active] = [
    request.assignedAgo,
    request.acceptedAgo,
    request.sessions[0]?.daysAgo,
  ].map((days) => (days === undefined ? null : daysAgo(days)));
  const steps: [string, Date | null | undefined][] = [
    ['requested', requested],
    ['assigned', assigned],
    ['accepted', accepted],
    ['active', active],
  ];
  return [
    sql`
      update public.engagements set
        requested_at = ${requested}, assigned_at = ${assigned}, accepted_at = ${accepted},
        active_at = ${active}, state_since = ${active ?? accepted ?? assigned ?? requested},
        updated_at = ${active ?? requested}
      where id = ${id}`,
    ...steps.map(
      ([state, at]) => sql`
        update public.engagement_events set at = coalesce(${at}, at)
        where engagement_id = ${id} and to_state = ${state}`,
    ),
  ];
}

function datesOfSessions(request: DemoRequest): DateChange[] {
  return request.sessions.flatMap((session, place): RawBuilder<unknown>[] => {
    const id = sessionId(request, place);
    const at = daysAgo(session.daysAgo);
    const closed = new Date(at.getTime() + (session.minutes + 20) * 60_000);
    return [
      sql`
        update public.coaching_sessions set
          starts_at = ${at}, created_at = ${at}, updated_at = ${closed}, closed_at = ${closed}
        where id = ${id}`,
      ...(session.actions ?? []).map(
        ({ dueIn, doneAgo }, n) => sql`
          update public.coaching_actions set
            created_at = ${closed}, due_on = ${dayAgo(-dueIn)},
            settled_at = ${doneAgo === undefined ? null : daysAgo(doneAgo)}
          where id = ${actionId(id, n)}`,
      ),
    ];
  });
}

/** People were notified when it happened, and have read what's older than two weeks. */
export async function dateNotifications(db: Database): Promise<void> {
  await query(db)`
    update public.notifications n set created_at = h.at
    from (
      select 'step:' || engagement_id || ':' || id as key, at from public.engagement_events
      union all
      select 'requested:' || id, requested_at from public.engagements
      union all
      select 'session:' || id || ':closed', closed_at from public.coaching_sessions
      union all
      select 'joined:' || i.id, m.joined_at
      from public.business_invitations i
      join public.business_members m on m.business_id = i.business_id and m.user_id = i.accepted_by
    ) h
    where h.key = n.key`;
  // What they were told to do was due soon after that.
  await query(db)`
    update public.notifications n set body = regexp_replace(
      n.body, d.words || ' by \\w+ \\d+(, \\d{4})?',
      d.words || ' by ' || private.day_words(private.business_day_end(n.created_at, d.days), n.user_id)
    )
    from private.coaching_rules r
    cross join lateral (values
      ('Find someone', r.assign_days), ('say yes or no', r.accept_days), ('get in touch', r.contact_days)
    ) d (words, days)
    where n.body ~ (d.words || ' by \\w+ \\d')`;
  await query(db)`
    update public.notifications set read_at = created_at + interval '2 hours'
    where created_at < now() - interval '14 days'`;
  await query(db)`select private.set_clock(id) from public.engagements where closed_at is null`;
}
