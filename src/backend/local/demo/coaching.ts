import { sql } from 'kysely';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import { type BuiltPerson, idOf, queryAs } from './builders.ts';
import { type DateChange, daysAgo } from './dates.ts';
import { demoOwners } from './owners.ts';
import { known } from './people.ts';

interface DemoRequest {
  owner: string;
  coach?: string;
  shared: boolean;
  /** The steps after the request, oldest first, in days before today; requires a coach. */
  steps: readonly [state: 'assigned' | 'accepted' | 'active', daysAgo: number][];
  daysAgo: number;
  areas: readonly string[];
  note: string;
}

/** Coaching requests of the demo's owners, for their first business. */
export const demoRequests: readonly DemoRequest[] = [
  {
    owner: 'owner@demo.test',
    coach: 'coach@demo.test',
    shared: true,
    daysAgo: 96,
    steps: [
      ['assigned', 95],
      ['accepted', 94],
      ['active', 89],
    ],
    areas: ['financial-projection', 'people-management'],
    note: 'We’re busy, but most months we’re short on cash by the end. I’d like someone to go over the numbers with me.',
  },
  {
    owner: 'nadia@demo.test',
    coach: 'coach@demo.test',
    shared: false,
    daysAgo: 18,
    steps: [
      ['assigned', 17],
      ['accepted', 16],
      ['active', 13],
    ],
    areas: ['sales-marketing'],
    note: 'Most of our work comes from two contractors. How do we find a third one?',
  },
  {
    owner: 'sam@demo.test',
    shared: true,
    daysAgo: 3,
    steps: [],
    areas: ['business-planning', 'financial-projection'],
    note: 'The bank wants a business plan and a forecast by the end of next month.',
  },
];

export async function makeEngagement(
  db: Database,
  request: DemoRequest,
  people: Map<string, BuiltPerson>,
): Promise<DateChange[]> {
  const business = demoOwners.find(({ email }) => email === request.owner)?.businesses[0];
  const id = idOf(`engagement ${request.owner}`);
  await queryAs(db, known(people, request.owner))`
    select public.request_coaching(
      ${id}, ${idOf(`business ${business?.name}`)}, ${request.note}, ${[...request.areas]},
      ${request.shared})`;
  const coachId = request.coach ? known(people, request.coach).id : null;
  if (coachId) {
    await queryAs(db, known(people, 'admin@demo.test'))`
      select public.assign_coach(${id}, ${coachId}, 'Has worked with businesses like this one.')`;
  }
  const requested = daysAgo(request.daysAgo);
  const dated = request.steps.flatMap(([state, age], n) => {
    const at = daysAgo(age);
    const before = request.steps[n - 1]?.[0] ?? 'requested';
    return [
      ...(state === 'assigned'
        ? [
            sql`update public.engagements set assigned_at = ${at} where id = ${id}`,
            sql`
              update public.engagement_events set at = ${at}
              where engagement_id = ${id} and to_state = 'assigned'`,
          ]
        : [
            // These steps have no procedure yet, so they're written directly.
            sql`
              insert into public.engagement_events (
                engagement_id, at, actor_id, kind, from_state, to_state
              ) values (${id}, ${at}, ${coachId}, 'state_changed', ${before}, ${state})`,
          ]),
      sql`update public.engagements set state = ${state}, updated_at = ${at} where id = ${id}`,
    ];
  });
  return [
    sql`
      update public.engagements set requested_at = ${requested}, updated_at = ${requested}
      where id = ${id}`,
    sql`
      update public.engagement_events set at = ${requested}
      where engagement_id = ${id} and to_state = 'requested'`,
    ...dated,
  ];
}
