import { expect, test } from 'vitest';
import { CHANNELS } from '#domain/admin-coaching.ts';
import { TOOL_STATES } from '#domain/admin-tools.ts';
import { ATTEMPT_STATES, CHOOSERS, CONFIDENCE_NOTES, QUIZ_KINDS } from '#domain/attempt.ts';
import { BUSINESS_ROLES } from '#domain/business.ts';
import { TRADING } from '#domain/business-choices.ts';
import { CONSENTS, MESSAGE_OUTCOMES } from '#domain/contact.ts';
import { AGE_GROUPS, GENDERS, PLACES } from '#domain/demographics.ts';
import { DUE_KINDS, ENGAGEMENT_STATES, OPEN_ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { EVENT_STATES, PLACE_STATES } from '#domain/event.ts';
import { ACTION_STATES, FOCUS_STATES } from '#domain/focus.ts';
import { LEVELS, levelOf } from '#domain/level.ts';
import { CONVERSATION_KINDS } from '#domain/message.ts';
import { REPORT_OUTCOMES, REPORT_REASONS, REPORT_STATES } from '#domain/message-report.ts';
import { ISSUE_STATES } from '#domain/newsletter.ts';
import { ORDER_STATES } from '#domain/order.ts';
import { STAFF_ROLES } from '#domain/person.ts';
import { PLAN_FIELDS } from '#domain/plan.ts';
import { PROGRAM_GROUPS, PROGRAM_STATES, SEAT_STATES } from '#domain/program.ts';
import { moveLabel, PROJECT_STATUSES, STATUS_LABELS, TASK_STATES } from '#domain/project.ts';
import { QUIZ_VERSION_STATES } from '#domain/quiz-version.ts';
import {
  OFFER_STATES,
  RECOMMENDATION_KINDS,
  RECOMMENDATION_STATES,
  SESSION_STATES,
} from '#domain/session.ts';
import { GRANT_KINDS } from '#domain/session-grant.ts';
import { ACTION_DOERS, SESSION_KINDS } from '#domain/session-values.ts';
import { SURVEY_GROUPINGS, SURVEY_PRIVACIES } from '#domain/survey.ts';
import { TOOL_CALCULATORS, TOOL_KINDS } from '#domain/tool.ts';
import { WORKSHEET_KINDS } from '#domain/worksheet.ts';
import { TOPICS } from '#lib/schemas/contact.ts';
import { openWorld } from '../fixtures/personas.ts';

const { sql } = await openWorld();

const valuesOf = (options: readonly { value: string }[]) => options.map(({ value }) => value);

/** Values defined in both SQL and TypeScript, by the column with the SQL check constraint. */
const SHARED: Record<string, readonly string[]> = {
  'area_scores.confidence_note': CONFIDENCE_NOTES,
  'area_scores.level': LEVELS,
  'attempts.kind': QUIZ_KINDS,
  'attempts.state': ATTEMPT_STATES,
  'business_invitations.role': BUSINESS_ROLES,
  'business_members.role': BUSINESS_ROLES,
  'business_plan_fields.field': PLAN_FIELDS,
  'business_worksheets.kind': WORKSHEET_KINDS,
  'businesses.trading': valuesOf(TRADING),
  'coach_recommendations.kind': RECOMMENDATION_KINDS,
  'coach_recommendations.state': RECOMMENDATION_STATES,
  'coaching_actions.doer': ACTION_DOERS,
  'coaching_actions.state': ACTION_STATES,
  'coaching_sessions.kind': SESSION_KINDS,
  'coaching_sessions.state': SESSION_STATES,
  'contact_attempts.channel': CHANNELS,
  'contact_messages.outcome': MESSAGE_OUTCOMES,
  'contact_messages.topic': Object.keys(TOPICS),
  'contacts.newsletter': CONSENTS,
  'conversations.kind': CONVERSATION_KINDS,
  'demographics.age_group': valuesOf(AGE_GROUPS),
  'demographics.gender': valuesOf(GENDERS),
  'demographics.place': valuesOf(PLACES),
  'engagements.due_what': DUE_KINDS,
  'engagements.state': ENGAGEMENT_STATES,
  'event_signups.state': PLACE_STATES,
  'events.state': EVENT_STATES,
  'focus_actions.state': ACTION_STATES,
  'focus_areas.state': FOCUS_STATES,
  'message_reports.outcome': REPORT_OUTCOMES,
  'newsletter_issues.state': ISSUE_STATES,
  'message_reports.reason': REPORT_REASONS,
  'message_reports.state': REPORT_STATES,
  'session_grants.kind': GRANT_KINDS,
  'orders.state': ORDER_STATES,
  'programs.groups_by': PROGRAM_GROUPS,
  'programs.state': PROGRAM_STATES,
  'project_tasks.state': TASK_STATES,
  'projects.status': PROJECT_STATUSES,
  'quiz_claims.kind': QUIZ_KINDS,
  'quiz_versions.state': QUIZ_VERSION_STATES,
  'recommendations.chosen_by': CHOOSERS,
  'seats.state': SEAT_STATES,
  'session_offers.kind': SESSION_KINDS,
  'session_offers.state': OFFER_STATES,
  'staff_roles.role': STAFF_ROLES,
  'surveys.grouped_by': SURVEY_GROUPINGS,
  'surveys.privacy': SURVEY_PRIVACIES,
  'toolbox_items.calculator': TOOL_CALCULATORS,
  'toolbox_items.state': TOOL_STATES,
  'toolbox_items.type': TOOL_KINDS,
  'toolbox_versions.calculator': TOOL_CALCULATORS,
  'toolbox_versions.type': TOOL_KINDS,
};

/** Columns whose values only SQL uses, never a screen. */
const SQL_ONLY = [
  'business_invitations.ended',
  'disputes.state',
  'memberships.state',
  'order_lines.every',
  'orders.method',
  'payments.method',
  'plans.gives',
  'prices.every',
  'refunds.state',
  'engagement_events.kind',
  'focus_reminders.stage',
  'message_attachments.state',
  'tool_files.bucket',
  'tool_files.state',
  'newsletter_deliveries.state',
  'notifications.kind',
  'project_events.kind',
  'project_files.state',
  'surveys.state',
];

/** Every column with a check that lists its allowed texts, as `table.column`, with these texts. */
async function checkedColumns(): Promise<Map<string, string[]>> {
  const rows = await sql`
    select c.conrelid::regclass::text || '.' || a.attname as name, pg_get_constraintdef(c.oid) as rule
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace
      and cardinality(c.conkey) = 1 and pg_get_constraintdef(c.oid) like '%= ANY (ARRAY[%'
    order by 1`;
  return new Map(
    rows.map(({ name, rule }) => [
      name.replace('public.', ''),
      [...rule.matchAll(/'([^']*)'::text/g)].map(([, value]) => value as string),
    ]),
  );
}

test('Every list of states, kinds and choices is the same in both, or in SQL alone', async () => {
  const columns = await checkedColumns();
  for (const [name, values] of Object.entries(SHARED)) {
    expect(columns.get(name)?.toSorted(), name).toEqual(values.toSorted());
  }
  const known = [...Object.keys(SHARED), ...SQL_ONLY].toSorted();
  expect([...columns.keys()].toSorted()).toEqual(known);
});

test('The steps of SQL lead between the states that TypeScript names, and through all of them', async () => {
  const steps = await sql`
    select entity, array_agg(distinct s) as states
    from private.transitions, unnest(array[from_state, to_state]) s
    where s is not null group by 1`;
  const byEntity = Object.fromEntries(steps.map(({ entity, states }) => [entity, states]));
  expect(byEntity).toMatchObject({
    project: PROJECT_STATUSES.toSorted(),
    attempt: ATTEMPT_STATES.toSorted(),
    engagement: ENGAGEMENT_STATES.toSorted(),
    session: SESSION_STATES.toSorted(),
    seat: SEAT_STATES.toSorted(),
    issue: ISSUE_STATES.toSorted(),
    tool: TOOL_STATES.toSorted(),
    event: EVENT_STATES.toSorted(),
    place: PLACE_STATES.toSorted(),
    quiz: QUIZ_VERSION_STATES.toSorted(),
  });
});

test('An engagement is open in the same states in both', async () => {
  const states = await sql<{ state: string; closed: boolean }[]>`
    select s as state, private.is_closed(s) as closed from unnest(${ENGAGEMENT_STATES}::text[]) s`;
  const open = states.filter(({ closed }) => !closed).map(({ state }) => state);
  expect(open).toEqual([...OPEN_ENGAGEMENT_STATES]);
});

test('The button of every step of a project says what it does', async () => {
  const steps = await sql`
    select from_state, to_state from private.transitions
    where entity = 'project' and from_state is not null`;
  for (const { from_state, to_state } of steps) {
    const label = moveLabel(from_state, to_state);
    expect(Object.values(STATUS_LABELS), `${from_state} to ${to_state}`).not.toContain(label);
  }
});

test('A score has the same level in both', async () => {
  for (const score of [0, 24.999, 25, 49.9, 50, 74.999, 75, 100]) {
    const [row] = await sql`select private.level_of(${score}::numeric) as level`;
    expect(row?.level, String(score)).toBe(levelOf(score));
  }
});
