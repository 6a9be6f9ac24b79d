import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Db } from '../fixtures/connection.ts';
import { asPerson } from '../fixtures/database.ts';
import { openWorld, refusalOf } from '../fixtures/personas.ts';
import { createProject } from '../fixtures/project.ts';

const world = await openWorld();
const { sql, ask, people } = world;
const project = crypto.randomUUID();
await createProject(world, project);
await ask(people.owner, "add_project_update(gen_random_uuid(), $1, 'Called Ann.')", [project]);

/** What signed-in users can write without a procedure. Visitors and the secret key can't. */
const WRITABLE: Record<string, string[]> = {
  answers: ['INSERT', 'UPDATE'],
  attempt_confidences: ['INSERT', 'UPDATE'],
  profiles: ['UPDATE'],
};

/** Procedures that visitors can call. */
const FOR_VISITORS = [
  'get_event_place',
  'get_public_tool',
  'get_quiz',
  'get_seat_offer',
  'get_survey',
  'get_tool_captions',
  'get_tool_file',
  'is_tool_as_built',
  'list_event_places',
  'list_newsletter_issues',
  'list_practice_tools',
  'list_prices',
  'list_public_tools',
  'newsletter_issue',
  'store_claim',
  'submit_survey_response',
  'toggles_on',
];

/**
 * Columns that start a foreign key or are compared by a policy, but that no index covers fully.
 * A partial index counts only if all it leaves out is null, which equals nothing anyway.
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

test('Every table has row-level security, a comment, a key and a test of who may do what', async () => {
  const tables = await sql`
    select c.relname as name, c.relkind as kind, c.relrowsecurity as secured,
      obj_description(c.oid) as comment,
      exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p') as keyed,
      has_any_column_privilege('authenticated', c.oid, 'SELECT') as readable
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    order by 1`;
  expect(tables.length).toBeGreaterThan(20);
  const folder = new URL('.', import.meta.url);
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join();
  for (const { name, readable, comment, ...table } of tables) {
    expect(table, name).toEqual({ kind: 'r', secured: true, keyed: true });
    expect(comment?.length ?? 0, `${name} needs a comment`).toBeGreaterThan(20);
    if (!readable || WRITABLE[name]) continue;
    expect(tests, `${name} needs a test of who reads it`).toMatch(
      new RegExp(
        `((expectReaders|whoReads)\\(\\s*world,\\s*|^  \\[)'${name}'|select from public\\.${name}`,
        'm',
      ),
    );
  }
});

test('Policies are sentences, one a table, verb and role, and each asks for the second factor', async () => {
  const policies = await sql`
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
    // Only as a subquery, which is evaluated once per statement instead of once per row.
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
  const policies = await sql`
    select policyname, cmd, qual, with_check from pg_policies
    where schemaname = 'public' and cmd <> 'SELECT'`;
  for (const { policyname, cmd, qual, with_check } of policies) {
    expect(with_check, policyname).toContain('private.session_ok()');
    if (cmd === 'UPDATE') expect(with_check, policyname).toBe(qual);
  }
});

test('People may call what is in schema public, and of private what that and the policies call', async () => {
  const callable = async (role: string, schema: string) =>
    await sql<{ name: string; source: string; definer: boolean }[]>`
      select distinct proname as name, prosrc as source, prosecdef as definer from pg_proc
      where pronamespace = ${schema}::regnamespace and prorettype <> 'trigger'::regtype
        and has_function_privilege(${role}, oid, 'execute')`;
  const namesOf = (functions: { name: string }[]) =>
    [...new Set(functions.map(({ name }) => name))].toSorted();
  const all = await sql<{ name: string }[]>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`;
  expect(namesOf(await callable('anon', 'public'))).toEqual(FOR_VISITORS);
  expect(namesOf(await callable('anon', 'private'))).toEqual([
    'can_read_tool_object',
    'session_ok',
  ]);
  expect(await callable('service_role', 'public')).toEqual([]);
  expect(await callable('service_role', 'private')).toEqual([]);
  const [procedures, rules] = [
    await callable('authenticated', 'public'),
    await callable('authenticated', 'private'),
  ];
  expect(namesOf(procedures)).toEqual(namesOf(all.filter(({ name }) => name !== 'store_claim')));
  const policies = await sql`select concat(qual, with_check) as source from pg_policies`;
  const callers = [...policies, ...[...procedures, ...rules].filter(({ definer }) => !definer)];
  const called = callers.flatMap(({ source }) =>
    [...source.matchAll(/private\.(\w+)\(/g)].map(([, name = '']) => ({ name })),
  );
  // Granted like is_admin, although only security-definer functions call it.
  called.push({ name: 'is_coach' });
  expect(namesOf(rules), 'revoke execute of what nothing calls').toEqual(namesOf(called));
});

test('People read the tables that have a policy for it, and write three; everything else is refused', async () => {
  const tables = await sql<{ table: string; name: string; column: string; readable: boolean }[]>`
    select c.oid::regclass::text as table, c.relname as name, c.relkind = 'v' as view,
      (select attname from pg_attribute where attrelid = c.oid and attnum = 1) as column,
      exists (
        select from pg_policies p
        where p.schemaname = 'public' and p.tablename = c.relname and p.cmd = 'SELECT'
      ) as readable
    from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'v')`;
  const granted = await sql`
    select c.oid::regclass::text as table, array_agg(p order by p) as rights
    from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) p
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'v') and has_any_column_privilege('authenticated', c.oid, p)
    group by 1`;
  expect(Object.fromEntries(granted.map((row) => [row.table, row.rights]))).toEqual(
    Object.fromEntries(
      tables
        .filter(({ readable }) => readable)
        .map(({ table, name }) => [table, [...(WRITABLE[name] ?? []), 'SELECT'].toSorted()]),
    ),
  );
  for (const role of ['anon', 'authenticated', 'service_role'] as const) {
    for (const { table, name, column, readable } of tables) {
      const allowed =
        role === 'authenticated' && readable ? ['SELECT', ...(WRITABLE[name] ?? [])] : [];
      for (const [verb, statement] of Object.entries({
        SELECT: `select from ${table}`,
        INSERT: `insert into ${table} default values`,
        UPDATE: `update ${table} set ${column} = default`,
        DELETE: `delete from ${table}`,
        TRUNCATE: `truncate ${table}`,
      })) {
        if (allowed.includes(verb) || (name === 'mails' && verb !== 'SELECT')) continue;
        const tried = asPerson(sql, { role }, (tx) => tx.unsafe(statement));
        expect(await refusalOf(tried), `${role}: ${statement}`).toMatch(/^42501 permission denied/);
      }
    }
  }
});

test.each([
  ['audit_log', 'reason'],
  ['engagement_events', 'note'],
  ['project_events', 'kind'],
  ['project_updates', 'body'],
])(
  'Rows of %s are never changed or removed, not even by the owner of the database',
  async (table, column) => {
    for (const statement of [
      `update public.${table} set ${column} = ''`,
      `delete from public.${table}`,
      `truncate public.${table}`,
    ]) {
      expect(await refusalOf(sql.unsafe(statement)), statement).toBe(
        `55000 Rows of ${table} are never changed or removed.`,
      );
    }
  },
);

test('Every function names its search path, and those that people call say what they do', async () => {
  const functions = await sql`
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
  expect(await columnsWithoutIndex(sql)).toEqual([]);
});

test.each([
  ['conversation_participants_user_id_idx', 'conversation_participants.user_id'],
  ['attempts_user_id_idx', 'attempts.user_id'],
])(
  'Without the index %s, its column is named, whatever partial indexes there are',
  async (index, column) => {
    const left = sql.begin(async (sql) => {
      await sql.unsafe(`drop index public.${index}`);
      throw Object.assign(new Error('undo'), { names: await columnsWithoutIndex(sql) });
    });
    await expect(left).rejects.toMatchObject({ names: [{ name: column }] });
  },
);
