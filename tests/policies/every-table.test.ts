import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../fixtures/connection.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Procedures that a role may call through the REST interface, beside those of everyone. */
const procedures = {
  anon: ['get_quiz', 'get_survey', 'store_claim', 'submit_survey_response'],
  authenticated: [
    'accept_invitation',
    'accept_my_invitation',
    'add_focus_action',
    'add_project_task',
    'add_project_update',
    'add_snapshot',
    'admin_overview',
    'adopt_answers',
    'archive_business',
    'assign_coach',
    'begin_message_file',
    'begin_project_file',
    'change_focus_action',
    'choose_focus_area',
    'coach_clients',
    'compare_attempts',
    'copy_tool',
    'create_business',
    'create_project',
    'decline_invitation',
    'decline_my_invitation',
    'demographics_summary',
    'edit_message',
    'end_focus_area',
    'end_session',
    'export_account',
    'finish_attempt',
    'finish_message_file',
    'finish_project_file',
    'get_account',
    'get_attempt',
    'get_business',
    'get_claim',
    'get_conversation',
    'get_dashboard',
    'get_invitation',
    'get_plan',
    'get_profile',
    'get_project',
    'get_quiz',
    'get_reported_conversation',
    'get_result',
    'get_skills',
    'get_survey',
    'get_tool',
    'get_tool_copy',
    'hand_over_business',
    'invite_member',
    'invite_to_survey',
    'keep_account',
    'leave_business',
    'list_attempts',
    'list_blocked',
    'list_businesses',
    'list_conversations',
    'list_correspondents',
    'list_message_changes',
    'list_message_reports',
    'list_messages',
    'list_plan_versions',
    'list_project_history',
    'list_project_tasks',
    'list_projects',
    'list_sessions',
    'list_snapshots',
    'list_toolbox',
    'mark_tool',
    'move_project',
    'move_project_task',
    'my_engagements',
    'open_conversation',
    'project_start',
    'read_messages',
    'remove_claim',
    'remove_member',
    'remove_message',
    'remove_message_file',
    'remove_project_file',
    'remove_project_task',
    'remove_tool_copy',
    'remove_view',
    'replay_jobs',
    'report_message',
    'request_account_deletion',
    'request_coaching',
    'resend_invitation',
    'restore_plan_version',
    'revoke_invitation',
    'save_business_fact',
    'save_demographics',
    'save_message_draft',
    'save_notification_settings',
    'save_plan_field',
    'save_project',
    'save_project_task',
    'save_tool_copy',
    'save_view',
    'search_messages',
    'send_message',
    'session_context',
    'set_avatar',
    'set_conversation_muted',
    'set_person_blocked',
    'set_project_task_state',
    'set_results_shared',
    'set_staff_role',
    'settle_focus_action',
    'settle_message_report',
    'start_attempt',
    'submit_survey_response',
    'swap_recommendation',
    'take_claim',
    'unarchive_business',
    'void_attempt',
    'withdraw_coaching',
  ],
  service_role: [],
};

/** Rules that policies and invoker procedures call in the name of whoever asks. */
const rules = {
  anon: ['session_ok'],
  authenticated: [
    'attempt_ids_shared_with_me',
    'awaited_file_paths',
    'awaited_message_paths',
    'benchmark_json',
    'coaching_json',
    'focus_json',
    'has_room_for_avatar',
    'ids_of_my_people',
    'invitations_to_me',
    'is_admin',
    'is_coach',
    'may_hear',
    'may_say',
    'my_avatar_folder',
    'my_business_ids',
    'my_client_engagement_ids',
    'my_conversation_ids',
    'my_later_starts',
    'my_open_attempt_ids',
    'next_projects_json',
    'open_attempt_json',
    'quiz_version_json',
    'readable_avatar_folders',
    'readable_business_ids',
    'readable_file_folders',
    'recommended_tools',
    'removable_file_folders',
    'removable_file_paths',
    'session_ok',
    'standing_json',
    'trend_json',
    'unsent_message_paths',
    'words_query',
  ],
  service_role: [],
};

/** What a visitor may do with tables: nothing. */
const writable = {
  answers: ['INSERT', 'SELECT', 'UPDATE'],
  attempt_confidences: ['INSERT', 'SELECT', 'UPDATE'],
  profiles: ['SELECT', 'UPDATE'],
};
const readable = [
  'area_scores',
  'attempts',
  'blocks',
  'business_members',
  'business_plan_fields',
  'business_plan_versions',
  'business_snapshots',
  'businesses',
  'conversation_participants',
  'conversations',
  'demographics',
  'engagement_events',
  'engagements',
  'focus_actions',
  'focus_areas',
  'message_attachments',
  'message_drafts',
  'messages',
  'notification_settings',
  'project_events',
  'project_files',
  'project_tasks',
  'project_updates',
  'projects',
  'quiz_questions',
  'quiz_version_areas',
  'quiz_versions',
  'recommendations',
  'saved_views',
  'skill_areas',
  'staff_roles',
  'tool_copies',
  'toolbox_items',
  'toolbox_marks',
];

/**
 * Columns that a foreign key begins with or a policy compares, and that no index finds every row by.
 * A partial index finds them all only where it leaves out nothing but null, which equals nothing.
 */
const columnsWithoutIndex = (sql: Db) => sql`
  with asked as (
    select k.conrelid as relid, k.conkey[1] as attnum
    from pg_constraint k
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    union
    select a.attrelid, a.attnum
    from pg_policies p
    join pg_attribute a on a.attrelid = format('public.%I', p.tablename)::regclass and a.attnum > 0
    where p.schemaname = 'public' and a.attname <> 'state'
      and concat(p.qual, p.with_check) ~ ('[(]' || a.attname || ' = ')
  )
  select a.attrelid::regclass::text || '.' || a.attname as name
  from asked
  join pg_attribute a on a.attrelid = asked.relid and a.attnum = asked.attnum
  where not exists (
    select from pg_index i
    where i.indrelid = asked.relid and i.indkey[0] = asked.attnum and i.indisvalid
      and coalesce(pg_get_expr(i.indpred, i.indrelid), 'true')
        in ('true', format('(%I IS NOT NULL)', a.attname))
  )
  order by 1`;

describe('Rules that hold for every table and procedure', () => {
  test('Every table has row-level security, a comment, a key and a test of who may do what', async () => {
    const tables = await database.sql`
      select c.relname as name, c.relkind as kind, c.relrowsecurity as secured,
        obj_description(c.oid) as comment,
        exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p') as keyed
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
      order by 1`;
    expect(tables.length).toBeGreaterThan(20);
    const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
    const tested = files.map((file) => basename(file));
    for (const { name, ...table } of tables) {
      expect({ name, ...table }).toMatchObject({ name, kind: 'r', secured: true, keyed: true });
      expect(table.comment?.length ?? 0, `${name} needs a comment`).toBeGreaterThan(20);
      expect(tested, `${name} needs a test in tests/policies`).toContain(
        `${name.replaceAll('_', '-')}.test.ts`,
      );
    }
  });

  test('Policies are sentences, one a table, verb and role, and each asks for the second factor', async () => {
    const policies = await database.sql`
      select tablename, policyname, permissive, roles::text[] as roles, cmd, qual, with_check,
        concat_ws(' and ', qual, with_check) as condition
      from pg_policies where schemaname = 'public'`;
    expect(policies.length).toBeGreaterThan(20);
    const seen = new Set<string>();
    for (const policy of policies) {
      const name = `${policy.tablename}: ${policy.policyname}`;
      expect(policy.policyname, name).toMatch(/^[A-Z][^_]+ [^_]+$/);
      expect(policy.permissive, name).toBe('PERMISSIVE');
      expect(policy.cmd, name).toMatch(/^(SELECT|INSERT|UPDATE)$/);
      expect(policy.roles, name).toEqual(['authenticated']);
      for (const half of [policy.qual, policy.with_check]) {
        if (half !== null) expect(half, name).toContain('SELECT private.session_ok()');
      }
      // Only ever as a subquery, which is asked once a statement instead of once a row.
      expect(policy.condition.replaceAll('SELECT auth.uid() AS uid', ''), name).not.toMatch(
        /auth\.|current_setting/,
      );
      expect(policy.condition.replaceAll(/SELECT private\.\w+\(\)/g, ''), name).not.toContain(
        'private.',
      );
      const place = `${policy.tablename} ${policy.cmd} ${policy.roles}`;
      expect(seen, `two policies for ${place}`).not.toContain(place);
      seen.add(place);
    }
  });

  test('An update policy says the same of the row before and after', async () => {
    const policies = await database.sql`
      select policyname, cmd, qual, with_check from pg_policies
      where schemaname = 'public' and cmd <> 'SELECT'`;
    for (const { policyname, cmd, qual, with_check } of policies) {
      expect(with_check, policyname).toContain('private.session_ok()');
      if (cmd === 'UPDATE') expect(with_check, policyname).toBe(qual);
    }
  });

  test('Every role may call exactly the procedures that are listed for it', async () => {
    for (const role of ['anon', 'authenticated', 'service_role'] as const) {
      const callable = async (schema: string) =>
        (
          await database.sql`
            select distinct proname from pg_proc
            where pronamespace = ${schema}::regnamespace and prorettype <> 'trigger'::regtype
              and has_function_privilege(${role}, oid, 'execute')
            order by 1`
        ).map((row) => row.proname);
      const advice = `${role}: add it to the list above, or revoke execute`;
      expect(await callable('public'), advice).toEqual(procedures[role]);
      expect(await callable('private'), advice).toEqual(rules[role]);
    }
  });

  test('Every role has exactly the table rights that are listed for it', async () => {
    const granted = await database.sql`
      select c.relname as name, r.role,
        array_agg(distinct p.privilege order by p.privilege) as privileges
      from pg_class c
      cross join unnest(array['anon', 'authenticated', 'service_role']) as r (role)
      cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
        as p (privilege)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and case when p.privilege in ('DELETE', 'TRUNCATE', 'TRIGGER')
          then has_table_privilege(r.role, c.oid, p.privilege)
          else has_any_column_privilege(r.role, c.oid, p.privilege) end
      group by 1, 2`;
    const found = (role: string) =>
      Object.fromEntries(
        granted.filter((row) => row.role === role).map((row) => [row.name, row.privileges]),
      );
    expect(found('anon')).toEqual({});
    expect(found('authenticated'), 'add it to the lists above, or revoke it').toEqual({
      ...Object.fromEntries(readable.map((name) => [name, ['SELECT']])),
      ...writable,
    });
    expect(found('service_role')).toEqual({});
  });

  test('Every function names its search path, and those that people call say what they do', async () => {
    const functions = await database.sql`
      select n.nspname || '.' || p.proname as name, p.proconfig as settings,
        obj_description(p.oid) as comment
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'private')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;
    expect(functions.length).toBeGreaterThan(40);
    for (const { name, settings, comment } of functions) {
      expect(settings, name).toContain('search_path=""');
      if (name.startsWith('public.')) expect(comment, `${name} needs a comment`).toBeTruthy();
    }
  });

  test('Every foreign key and every column that a policy compares has an index', async () => {
    expect(await columnsWithoutIndex(database.sql)).toEqual([]);
  });

  test.each([
    ['conversation_participants_user_id_idx', 'conversation_participants.user_id'],
    ['attempts_user_id_idx', 'attempts.user_id'],
  ])(
    'Without the index %s, its column is named, whatever partial indexes there are',
    async (index, column) => {
      const left = database.sql.begin(async (sql) => {
        await sql.unsafe(`drop index public.${index}`);
        throw Object.assign(new Error('undo'), { names: await columnsWithoutIndex(sql) });
      });
      await expect(left).rejects.toMatchObject({ names: [{ name: column }] });
    },
  );
});
