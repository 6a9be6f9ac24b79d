import { expect, test } from 'vitest';
import { asPerson } from '../fixtures/database.ts';
import { openWorld } from '../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin } = people;

/** A value for each parameter type; ids never exist. */
const VALUES: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  'uuid[]': "'{}'",
  text: "'unknown'",
  'text[]': "'{}'",
  boolean: 'true',
  integer: '1',
  bigint: '1',
  jsonb: "'{}'",
  date: 'current_date',
  numeric: '1',
  'timestamp with time zone': 'now()',
  'timestamp with time zone[]': "'{}'",
};

/** Calls of every procedure that takes an id, with ids that don't exist. */
async function callsWithUnknownIds(): Promise<string[]> {
  const procedures = await sql<{ name: string; types: string[] }[]>`
    select p.proname as name, array(
      select format_type(t.id, null) from unnest(p.proargtypes) with ordinality as t (id, place)
      order by t.place
    ) as types
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and 'uuid'::regtype = any (p.proargtypes::oid[])
      and has_function_privilege('authenticated', p.oid, 'execute')
    order by p.proname`;
  return procedures.map(({ name, types }) => {
    const values = types.map((type) => {
      const value = VALUES[type];
      if (!value) throw new Error(`Add a value of the type ${type} for ${name}.`);
      return `${value}::${type}`;
    });
    return `${name}(${values.join(', ')})`;
  });
}

test('An admin who asks for what does not exist finds nothing, and no such reading is logged', async () => {
  // A list whose place takes an id is a list all the same, and looking at it is logged. An issue of
  // the newsletter and a tool begin with an id that's new.
  const logged = async () =>
    (
      await sql`
      select from public.audit_log
      where action not like '%.list' and action not in ('newsletter.create', 'tool.create')`
    ).length;
  const before = await logged();
  const wrong: string[] = [];
  for (const call of await callsWithUnknownIds()) {
    const answer: unknown = await asPerson(sql, admin, (tx) =>
      tx.unsafe(`select public.${call} as answer`),
    ).then(
      ([row]) => row?.answer,
      ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
    );
    // Errors must be our own, and a row of only nulls isn't a valid result.
    const isInternal =
      typeof answer === 'string' && /^(?!P0002|42501|55000|22023)\w{5} /.test(answer);
    if (isInternal || /"id":null/.test(JSON.stringify(answer ?? null))) {
      wrong.push(`${call}: ${JSON.stringify(answer)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await logged()).toBe(before);
});

test('An admin finds no project under an id that none has', async () => {
  const unknown = crypto.randomUUID();
  expect(await ask(admin, 'get_project($1)', [unknown])).toBeNull();
  for (const call of [
    "save_project($1, 1, 'A title')",
    "move_project($1, 'planned')",
    "add_project_update(gen_random_uuid(), $1, 'Called Ann.')",
    "add_project_task(gen_random_uuid(), $1, 'Call Ann')",
    "save_project_task($1, 1, 'Call Ann')",
    "set_project_task_state($1, 'done')",
    'move_project_task($1)',
    'remove_project_task($1)',
    "begin_project_file(gen_random_uuid(), $1, 'a.pdf', 'application/pdf', 10)",
  ]) {
    expect(await refusal(admin, call, [unknown]), call).toBe('P0002 We can’t find this project.');
  }
});
