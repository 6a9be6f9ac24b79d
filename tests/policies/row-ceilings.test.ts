import { expect, test } from 'vitest';
import { openWorld, refusalOf } from '../fixtures/personas.ts';
import { createProject } from '../fixtures/project.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, otherOwner, otherCoach } = people;
const project = crypto.randomUUID();
await createProject(world, project);

/** Sets a table's limit to its current number of rows. */
const fill = (table: string, per: string, parent: string) =>
  sql`
    update private.row_ceilings c set most = n.rows
    from (
      select greatest(count(*), 1) as rows
      from ${sql(`public.${table}`)} where ${sql(per)} = ${parent}
    ) n
    where c.on_table = ${table} and c.per = ${per}`;

test('Every ceiling is held by a trigger', async () => {
  const ceilings = await sql`
    select c.on_table, c.per, exists (
      select from pg_trigger t
      where t.tgrelid = format('public.%I', c.on_table)::regclass
        and t.tgfoid = 'private.limit_rows'::regproc and t.tgenabled = 'O'
        and t.tgargs = convert_to(c.per, 'UTF8') || '\\x00'::bytea
    ) as held
    from private.row_ceilings c`;
  expect(ceilings.length).toBeGreaterThan(15);
  expect(ceilings.filter(({ held }) => !held)).toEqual([]);
});

test('A business has no more projects than its ceiling, and another business goes on', async () => {
  await fill('projects', 'business_id', ids.alder);
  const create = (who: typeof people.owner, business: string) =>
    ask(who, 'create_project($1, $2, $3)', [crypto.randomUUID(), business, 'One more']);
  expect(await refusalOf(create(owner, ids.alder))).toBe(
    '55000 A business can have at most 500 projects.',
  );
  await create(otherOwner, ids.birch);
});

test('A project has no more tasks and updates than its ceilings', async () => {
  const add = (call: string) =>
    ask(owner, `${call}($1, $2, $3)`, [crypto.randomUUID(), project, 'One more']);
  await add('add_project_task');
  await add('add_project_update');
  await fill('project_tasks', 'project_id', project);
  await fill('project_updates', 'project_id', project);
  expect(await refusalOf(add('add_project_task'))).toMatch(/^55000 A project can have at most/);
  expect(await refusalOf(add('add_project_update'))).toMatch(/^55000 A project can have at most/);
});

test('A person adds no more businesses than their ceiling', async () => {
  await fill('businesses', 'created_by', otherOwner.userId);
  const create = ask(otherOwner, 'create_business($1, $2)', [crypto.randomUUID(), 'B']);
  expect(await refusalOf(create)).toBe('55000 You can add at most 100 businesses.');
});

test('A business has no more members than its ceiling, and the server’s operator adds more', async () => {
  await fill('business_members', 'business_id', ids.alder);
  await sql`
    insert into public.business_members (business_id, user_id, role)
    values (${ids.alder}, ${otherCoach.userId}, 'member')`;
  const id = crypto.randomUUID();
  await ask(owner, 'invite_member($1, $2, $3)', [id, ids.alder, 'otto@example.test']);
  const [{ path } = { path: '' }] = await sql`
    select data ->> 'path' as path from private.mails
    where to_address = 'otto@example.test'`;
  await sql`
    update public.business_invitations set address = ${otherOwner.email} where id = ${id}`;
  const token = new URL(path, 'http://localhost').searchParams.get('token');
  expect(await refusal(otherOwner, 'accept_invitation($1)', [token])).toBe(
    '55000 A business can have at most 100 members.',
  );
});

test('The history of a plan keeps its newest 500 versions of a field', async () => {
  await sql`
    insert into public.business_plan_fields (business_id, field, value, revision, saved_at)
    values (${ids.birch}, 'offer', 'Version 505', 505, now())`;
  await sql`
    insert into public.business_plan_versions (
      business_id, field, revision, value, saved_by, editor
    )
    select ${ids.birch}, 'offer', n, 'Version ' || n, ${otherOwner.userId}, gen_random_uuid()
    from generate_series(1, 505) n`;
  await ask(otherOwner, "save_plan_field($1, 'offer', 'Newest', 505, $2)", [
    ids.birch,
    crypto.randomUUID(),
  ]);
  const [row] = await sql`
    select count(*)::int as kept, min(revision) as oldest, max(revision) as newest
    from public.business_plan_versions where business_id = ${ids.birch} and field = 'offer'`;
  expect(row).toEqual({ kept: 500, oldest: 7, newest: 506 });
});
