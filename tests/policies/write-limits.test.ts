import type postgres from 'postgres';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../fixtures/connection.ts';
import { asPerson, type Person } from '../fixtures/database.ts';
import { openWorld, refusalOf } from '../fixtures/personas.ts';
import { createProject } from '../fixtures/project.ts';
import { raiseLimits } from '../fixtures/raise-limits.ts';

const world = await openWorld();
const { sql, people, ids, quiz } = world;
const { owner, colleague, otherOwner } = people;
const project = crypto.randomUUID();
const task = crypto.randomUUID();
await createProject(world, project);
await world.ask(owner, 'add_project_task($1, $2, $3)', [task, project, 'Ask']);

/** Tables that signed-in users don't write, but the schedule, visitors' forms or an operator. */
const NOT_BY_PEOPLE = [
  'benchmark_businesses',
  'benchmarks',
  'contact_messages',
  'contacts',
  'event_signups',
  'events',
  'focus_reminders',
  'page_views',
  'quiz_claims',
  'quiz_questions',
  'quiz_version_areas',
  'quiz_versions',
  'rate_limits',
  'skill_areas',
];

/** Statements that users cause and that have no limit of their own, with what bounds them. */
const BOUNDED: Record<string, string> = {
  'area_scores insert': 'once for each attempt',
  'area_scores update': 'never changed',
  'account_deletions update': 'by the schedule',
  'attempt_adoptions update': 'never changed',
  'attempts update': 'an attempt ends once',
  'audit_log insert': 'what it records has limits, and is never left out',
  'audit_log update': 'never changed',
  'blocks update': 'never changed',
  'business_invitations update': 'an invitation is sent five times, and ends once',
  'disputes insert': 'only the payment company reports them',
  'disputes update': 'only the payment company reports them',
  'memberships insert': 'only the payment company reports them',
  'memberships update': 'only the payment company reports them',
  'order_files update': 'a file is sent once',
  'tool_files update': 'a file arrives once',
  'order_events insert': 'with orders',
  'order_events update': 'never changed',
  'order_lines insert': 'with orders',
  'order_lines update': 'with orders',
  'payments insert': 'reported by the payment company, or with orders',
  'payments update': 'never changed',
  'plans insert': 'from content/',
  'plans update': 'from content/',
  'prices insert': 'from content/',
  'prices update': 'from content/',
  'refunds insert': 'only the payment company reports them',
  'refunds update': 'only the payment company reports them',
  'session_grants update': 'with orders',
  'session_uses insert': 'with coaching_sessions',
  'tax_rates insert': 'from content/',
  'tax_rates update': 'from content/',
  'business_plan_versions insert': 'with business_plan_fields',
  'business_plan_versions update': 'with business_plan_fields',
  'business_snapshots update': 'never changed',
  'business_worksheet_versions insert': 'with business_worksheets',
  'business_worksheet_versions update': 'with business_worksheets',
  'coach_time_off update': 'never changed',
  'contact_attempts update': 'never changed',
  'conversation_participants insert': 'with conversations and memberships',
  'conversation_participants update': 'with messages; read_marks are counted by their procedures',
  'conversations update': 'with messages',
  'engagement_events insert': 'with engagements',
  'engagement_events update': 'never changed',
  'focus_areas update': 'a focus area ends once',
  'message_attachments update': 'a file arrives once and is sent once',
  'messages update': 'counted by edit_message; removing is always possible',
  'newsletter_deliveries insert': 'once for each issue and subscriber',
  'newsletter_deliveries update': 'by the job that sends issues',
  'notifications insert': 'with what they’re about, and pruned after 180 days',
  'profiles insert': 'once for each account',
  'program_consents insert': 'with programs',
  'program_consents update': 'never changed',
  'program_reports insert': 'by the schedule',
  'program_reports update': 'never changed',
  'program_sponsors update': 'never changed',
  'project_events update': 'never changed',
  'project_files update': 'a file arrives once',
  'project_updates update': 'never changed',
  'recommendations insert': 'once for each attempt',
  'seats insert': 'with programs and orders',
  'survey_responses insert':
    'by the address of the sender: a counter of the person would lead to the response',
  'survey_responses update': 'never changed',
};

/** Statements without a limit that aren't in the lists above, as `<table> <statement>`. */
async function unlimited(sql: Db): Promise<string[]> {
  const rows = await sql`
    select c.relname as table, e.event
    from pg_class c
    cross join (values ('insert', 4), ('update', 16)) as e (event, bit)
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (
        select from pg_trigger t
        where t.tgrelid = c.oid and t.tgfoid = 'private.limit_writes'::regproc
          and t.tgtype & e.bit > 0 and t.tgenabled = 'O'
      )
    order by 1, 2`;
  return rows
    .filter(({ table }) => !NOT_BY_PEOPLE.includes(table))
    .map(({ table, event }) => `${table} ${event}`);
}

test('What has none is named with the reason, and nothing else is', async () => {
  const advice = 'add a row to limits/write_limits.sql, or the reason to BOUNDED';
  expect(await unlimited(sql), advice).toEqual(Object.keys(BOUNDED).sort());
});

test('A new table without a limit is noticed', async () => {
  const left = sql.begin(async (sql) => {
    await sql`create table public.new_things (id uuid primary key)`;
    throw Object.assign(new Error('undo'), { names: await unlimited(sql) });
  });
  const names = expect.arrayContaining(['new_things insert', 'new_things update']);
  await expect(left).rejects.toMatchObject({ names });
});

test('What the REST interface lets people write directly always has one', async () => {
  const direct = await sql`
    select c.relname || ' ' || lower(p) as name
    from pg_class c cross join unnest(array['INSERT', 'UPDATE']) as p
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (has_any_column_privilege('authenticated', c.oid, p)
        or has_any_column_privilege('anon', c.oid, p))`;
  expect(direct.length).toBeGreaterThan(3);
  const without = await unlimited(sql);
  expect(direct.filter(({ name }) => without.includes(name))).toEqual([]);
});

/** Counts writes, as a request from this person would. */
const count = (who: Person, kind: string, times: number) =>
  asPerson(sql, who, async (tx) => {
    await tx`select set_config('role', 'none', true)`;
    await tx`select private.count_writes(${kind}, ${times})`;
  });

test('One person writes as much as the limit says, and nobody else is held up', async () => {
  const limits = await sql`select * from private.write_limits order by kind`;
  expect(limits.length).toBeGreaterThan(35);
  await sql`delete from public.rate_limits`;
  for (const { kind, a_minute, a_day, what } of limits) {
    await count(owner, kind, a_minute);
    const words = a_minute < a_day ? 'in a short time. Try again in a minute.' : 'today. Try';
    const refusal = await refusalOf(count(owner, kind, 1));
    expect(refusal, kind).toContain(`PT429 You’ve ${what} ${words}`);
    await count(otherOwner, kind, 1);
  }
  await sql`delete from public.rate_limits`;
});

test('A minute later it goes on, until the limit of the day; the day begins with the first write', async () => {
  await raiseLimits(sql, ['blocks'], 5, 7);
  const aMinutePasses = () =>
    sql`update public.rate_limits set minute_ends_at = now() where key like 'writes:%'`;
  await count(owner, 'blocks', 5);
  expect(await refusalOf(count(owner, 'blocks', 1))).toMatch(/in a short time/);
  await aMinutePasses();
  await count(owner, 'blocks', 2);
  const refused = await count(owner, 'blocks', 1).catch((error: postgres.PostgresError) => error);
  expect(refused).toMatchObject({
    code: 'PT429',
    message: 'You’ve blocked a lot of people today. Try again in 24 hours.',
    detail: expect.stringMatching(/^86\d{3}$/),
  });
  await aMinutePasses();
  expect(await refusalOf(count(owner, 'blocks', 1))).toMatch(/today/);
  await sql`update public.rate_limits set expires_at = now() where key like 'writes:%'`;
  await count(owner, 'blocks', 5);
});

test('Of many requests at once exactly as many pass as are allowed', async () => {
  await raiseLimits(sql, ['toolbox_marks'], 5, 100);
  const settled = await Promise.allSettled(
    Array.from({ length: 30 }, () => count(owner, 'toolbox_marks', 1)),
  );
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

test('What the product does by itself is not counted', async () => {
  await raiseLimits(sql, ['profile'], 1, 1);
  for (const name of ['A', 'B', 'C']) {
    await sql`
      update public.profiles set locale = ${name === 'B' ? 'de' : 'en'}
      where user_id = ${owner.userId}`;
  }
});

test('The tick does not wait for somebody who is writing', async () => {
  const key = 'writes:held';
  await sql`
    insert into public.rate_limits (key, hits, expires_at)
    values (${key}, 1, now() - interval '1 minute')`;
  await sql.begin(async (tx) => {
    await tx`update public.rate_limits set hits = 2 where key = ${key}`;
    await sql.begin(async (tick) => {
      await tick`set local lock_timeout = '2s'`;
      await tick`select private.delete_old_rate_limits()`;
    });
  });
  expect(await sql`select hits from public.rate_limits where key = ${key}`).toEqual([{ hits: 2 }]);
});

test('The tick forgets the counts of people who have gone', async () => {
  await sql`
    update public.rate_limits set expires_at = now() - interval '1 minute'
    where key like 'writes:%'`;
  await sql`select private.delete_old_rate_limits()`;
  expect(await sql`select key from public.rate_limits where key like 'writes:%'`).toHaveLength(0);
});

/** A write of each kind, as users cause it; not idempotent, so each call counts. */
const WRITES: [kind: string, write: (n: number) => [text: string, ...values: unknown[]]][] = [
  ['notification_settings', (n) => ['save_notification_settings($1)', n % 2 === 0]],
  ['demographics', (n) => ["save_demographics('25-34', null, '{}', $1, null, null)", n % 2 === 0]],
  ['exports', () => ['export_account()']],
  ['searches', () => ["search_everything('alder')"]],
  ['businesses', () => ['create_business($1, $2)', crypto.randomUUID(), 'Another']],
  [
    'business_facts',
    (n) => [
      "save_business_fact($1, 'name', $2, $3)",
      ids.alder,
      `Alder ${n}`,
      [`Alder ${n - 1}`, 'Alder Bakery'],
    ],
  ],
  [
    'business_plan',
    (n) => ["save_plan_field($1, 'offer', $2, 99, $3)", ids.alder, `Bread ${n}`, ids.alder],
  ],
  [
    'business_worksheets',
    (n) => ["save_worksheet($1, 'price', $2, $3)", ids.alder, { cost: String(n) }, n],
  ],
  [
    'business_snapshots',
    (n) => ['add_snapshot($1, $2, $3, 1)', crypto.randomUUID(), ids.alder, `2026-01-0${n + 1}`],
  ],
  [
    'business_invitations',
    (n) => ['invite_member($1, $2, $3)', crypto.randomUUID(), ids.alder, `guest${n}@example.test`],
  ],
  ['coaching_changes', (n) => ['set_results_shared($1, $2)', ids.alderEngagement, n % 2 === 0]],
  ['projects', () => ['create_project($1, $2, $3)', crypto.randomUUID(), ids.alder, 'New']],
  ['project_changes', (n) => ['save_project($1, $2, $3)', project, n + 1, `Answer ${n}`]],
  ['project_steps', () => ["move_project($1, 'done')", project]],
  ['project_tasks', () => ['add_project_task($1, $2, $3)', crypto.randomUUID(), project, 'Ask']],
  [
    'project_tasks',
    (n) => ['set_project_task_state($1, $2)', task, n % 2 === 0 ? 'doing' : 'todo'],
  ],
  ['project_updates', () => ['add_project_update($1, $2, $3)', crypto.randomUUID(), project, 'Hi']],
  [
    'project_files',
    () => ["begin_project_file($1, $2, 'a.txt', 'text/plain', 1)", crypto.randomUUID(), project],
  ],
  [
    'uploads',
    () => ["begin_project_file($1, $2, 'a.txt', 'text/plain', 1)", crypto.randomUUID(), project],
  ],
];

describe('What people write counts', () => {
  beforeAll(async () => {
    await raiseLimits(sql, 'all');
  });

  test.each(WRITES)(
    '%s: one write passes, the next is refused for now, and another person goes on',
    async (kind, write) => {
      const [before, next] = [write(0), write(1)];
      await sql`delete from public.rate_limits`;
      await raiseLimits(sql, [kind], 1);
      const ask = (who: Person, [text, ...values]: [string, ...unknown[]]) =>
        world.ask(who, text, values);
      await ask(owner, before);
      expect(await refusalOf(ask(owner, next))).toMatch(/^PT429 You’ve .* Try again in .*[.]$/);
      await count(colleague, kind, 1);
      await raiseLimits(sql, [kind]);
    },
  );

  test('Answers that are sent together count one by one, and nothing of what is refused is stored', async () => {
    await sql`delete from public.rate_limits`;
    await raiseLimits(sql, ['answers'], 5);
    const save = (from: number, to: number) =>
      asPerson(sql, owner, (tx) => {
        const rows = quiz.questions.slice(from, to).map(({ key }) => ({
          attempt_id: ids.alderOpen,
          version_id: quiz.id,
          question_key: key,
          value: 1,
          applies: true,
        }));
        return tx`
          insert into public.answers ${tx(rows)}
          on conflict (attempt_id, question_key) do update set
            value = excluded.value, applies = excluded.applies, answered_at = now()`;
      });
    await save(0, 4);
    expect(await refusalOf(save(3, 6))).toMatch(/^PT429 You’ve saved a lot of answers/);
    const [row] = await sql`
      select count(*)::int as stored from public.answers where attempt_id = ${ids.alderOpen}`;
    expect(row).toEqual({ stored: 4 });
    await save(3, 4);
  });

  test('The same thing sent again under its id does not count again', async () => {
    await sql`delete from public.rate_limits`;
    await raiseLimits(sql, ['project_tasks'], 1);
    const values = [crypto.randomUUID(), project, 'Once'];
    for (let time = 0; time < 3; time += 1) {
      await world.ask(owner, 'add_project_task($1, $2, $3)', values);
    }
  });

  test('A new order of many tasks counts as one change', async () => {
    await sql`delete from public.rate_limits`;
    await raiseLimits(sql, ['project_tasks'], 2);
    await asPerson(sql, owner, async (tx) => {
      await tx`select set_config('role', 'none', true)`;
      await tx`update public.project_tasks set position = position + 1`;
      await tx`update public.project_tasks set position = position - 1`;
    });
  });
});
