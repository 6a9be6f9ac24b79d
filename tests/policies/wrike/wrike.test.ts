import { beforeEach, describe, expect, test } from 'vitest';
import { expectCallers, openWorld } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin, owner, coach, otherOwner } = people;

const ADMINS = '42501 Only an admin can do this.';
const project = crypto.randomUUID();
await createProject(world, project);
await sql`
  insert into private.wrike_folders (id, title, kind, child_ids, listing, place, path)
  values ('IEA', 'Clients', 'folder', '{}', gen_random_uuid(), 1, 'Coaching')`;

beforeEach(async () => void (await sql`delete from private.wrike_mirrors`));

const mirror = (id: string, of: string | null = null, folder = 'IEA') =>
  ask(admin, 'mirror_in_wrike($1, $2, $3)', [id, folder, of]);
const rowOf = async (id: string) =>
  (await sql`select * from private.wrike_mirrors where id = ${id}`)[0];

describe('Only admins', () => {
  test.each([
    'admin_wrike()',
    'admin_wrike_folders()',
    'admin_wrike_mirrors()',
    "run_wrike('check')",
    "mirror_in_wrike(gen_random_uuid(), 'IEA')",
  ])('can call %s', (call) => expectCallers(world, call, ADMINS, { admin: 1 }));

  test('can change what becomes of a mirrored project', async () => {
    const id = crypto.randomUUID();
    await mirror(id);
    const call = `change_wrike_mirror('${id}', 'continue')`;
    await expectCallers(world, call, ADMINS, { admin: 1 });
  });

  test.each(['wrike_settings', 'wrike_folders', 'wrike_mirrors', 'wrike_tasks'])(
    'Nobody reads private.%s directly',
    async (table) => {
      for (const who of Object.values(people)) {
        const read = world.as(who)`select * from ${sql(`private.${table}`)}`;
        await expect(read).rejects.toThrow(/permission denied/);
      }
    },
  );
});

describe('What an admin cannot do', () => {
  test('Take a step that there isn’t', async () => {
    const unknown = '22023 Choose a step.';
    const id = crypto.randomUUID();
    await mirror(id);
    expect(await refusal(admin, "run_wrike('jump')")).toBe(unknown);
    expect(await refusal(admin, 'run_wrike(null)')).toBe(unknown);
    expect(await refusal(admin, "change_wrike_mirror($1, 'jump')", [id])).toBe(unknown);
    expect(await refusal(admin, 'change_wrike_mirror($1, null)', [id])).toBe(unknown);
    expect(await refusal(admin, "change_wrike_mirror($1, 'stop')", [project])).toBe(
      'P0002 We don’t mirror this project anymore.',
    );
  });

  test('Mirror in a folder, or a project, that isn’t known', async () => {
    const id = crypto.randomUUID();
    const call = 'mirror_in_wrike($1, $2, $3)';
    expect(await refusal(admin, call, [id, 'IEB', null])).toMatch(/^22023 Choose a folder/);
    expect(await refusal(admin, call, [id, null, null])).toMatch(/^22023 Choose a folder/);
    expect(await refusal(admin, call, [id, 'IEA', crypto.randomUUID()])).toBe(
      'P0002 We can’t find this project.',
    );
    expect(await refusal(admin, call, [null, 'IEA', null])).toBe('22023 It needs an id.');
  });

  test('Mirror a project twice, but sending the same again changes nothing', async () => {
    const id = crypto.randomUUID();
    await mirror(id, project);
    await mirror(id, project);
    const call = 'mirror_in_wrike($1, $2, $3)';
    expect(await refusal(admin, call, [crypto.randomUUID(), 'IEA', project])).toMatch(
      /^22023 This project is in Wrike already/,
    );
    expect(await refusal(admin, call, [id, 'IEA', null])).toBe('23505 This already exists.');
    expect(await sql`select from private.wrike_mirrors where project_id = ${project}`).toHaveLength(
      1,
    );
  });

  test('Mirror the project of an archived business', async () => {
    await sql`
      update public.businesses b set archived_at = now()
      from public.projects p where p.id = ${project} and b.id = p.business_id`;
    const call = 'mirror_in_wrike($1, $2, $3)';
    expect(await refusal(admin, call, [crypto.randomUUID(), 'IEA', project])).toMatch(/^55000 /);
    await sql`
      update public.businesses b set archived_at = null
      from public.projects p where p.id = ${project} and b.id = p.business_id`;
  });
});

test('Whoever reads a project reads that it’s mirrored, and nobody else', async () => {
  const id = crypto.randomUUID();
  const read = (who: (typeof people)[keyof typeof people]) =>
    ask(who, "get_project($1) -> 'wrike'", [project]);
  expect(await read(owner)).toBe(null);
  await mirror(id, project);
  for (const who of [owner, coach, admin]) {
    expect(await read(who)).toEqual({ is_followed: true, since: expect.any(String) });
  }
  expect(await ask(otherOwner, 'get_project($1)', [project])).toBe(null);
  await sql`update private.wrike_mirrors set wrike_id = 'IEP', state = 'sent' where id = ${id}`;
  await ask(admin, "change_wrike_mirror($1, 'stop')", [id]);
  expect(await read(owner)).toMatchObject({ is_followed: false });

  // It's in their export, without what was sent.
  const { tables } = await ask(owner, 'export_account()');
  expect(tables.wrike_mirrors).toMatchObject([
    { project_id: project, folder: 'Coaching / Clients' },
  ]);
  expect(tables.wrike_mirrors[0]).not.toHaveProperty('sent');
  expect((await ask(otherOwner, 'export_account()')).tables.wrike_mirrors).toEqual([]);
});

test('Mirroring is in the audit log, with the business', async () => {
  const id = crypto.randomUUID();
  await mirror(id, project);
  const [row] = await sql`
    select l.action, l.entity_id, l.details ->> 'business_id' as business_id from public.audit_log l
    where l.action = 'wrike.mirror' order by l.at desc limit 1`;
  const [of] = await sql`select business_id from public.projects where id = ${project}`;
  expect(row).toEqual({
    action: 'wrike.mirror',
    entity_id: project,
    business_id: of?.business_id,
  });
});

test('Only a change of what’s sent marks a mirrored project, in its own transaction', async () => {
  const id = crypto.randomUUID();
  await mirror(id, project);
  const rest = () => sql`update private.wrike_mirrors set state = 'sent' where id = ${id}`;
  const stateAfter = async (change: () => Promise<unknown>) => {
    await rest();
    await change();
    return (await rowOf(id))?.state;
  };
  const task = crypto.randomUUID();
  expect(
    await stateAfter(() =>
      ask(owner, 'add_project_update($1, $2, $3)', [crypto.randomUUID(), project, 'Hello']),
    ),
  ).toBe('sent');
  expect(
    await stateAfter(() => ask(owner, 'add_project_task($1, $2, $3)', [task, project, 'One'])),
  ).toBe('waiting');
  expect(await stateAfter(() => ask(owner, "set_project_task_state($1, 'doing')", [task]))).toBe(
    'sent',
  );
  expect(await stateAfter(() => ask(owner, "set_project_task_state($1, 'done')", [task]))).toBe(
    'waiting',
  );
  expect(await stateAfter(() => ask(owner, "move_project($1, 'planned')", [project]))).toBe(
    'waiting',
  );
  // Not while it isn't followed.
  await sql`update private.wrike_mirrors set wrike_id = 'IEP' where id = ${id}`;
  await ask(admin, "change_wrike_mirror($1, 'stop')", [id]);
  expect(await stateAfter(() => ask(owner, "move_project($1, 'canceled')", [project]))).toBe(
    'sent',
  );
});

test('A change that’s made while it’s being sent waits to be sent, too', async () => {
  const id = crypto.randomUUID();
  await mirror(id, project);
  const [taken] = await sql`select private.take_wrike_mirror() as mirror`;
  const { version } = taken?.mirror ?? {};
  await ask(owner, "move_project($1, 'in_progress', 'again')", [project]);
  expect((await rowOf(id))?.state).toBe('sending');
  await sql`select private.keep_wrike_outcome(${id}, ${version}, 'done')`;
  expect((await rowOf(id))?.state).toBe('waiting');
});

test('Mirrored projects are found by title, business and state', async () => {
  const id = crypto.randomUUID();
  await mirror(id, project);
  const found = async (filter: object) =>
    (await ask(admin, 'admin_wrike_mirrors($1)', [filter])).rows.map(
      (row: { id: string }) => row.id,
    );
  expect(await found({ words: 'alder' })).toEqual([id]);
  expect(await found({ words: 'nothing' })).toEqual([]);
  expect(await found({ state: 'waiting' })).toContain(id);
  expect(await found({ state: 'refused' })).toEqual([]);
});
