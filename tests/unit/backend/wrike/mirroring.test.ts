/** What the job does about each change here and each answer of Wrike, with a stand-in for it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openWrike } from '../../../fixtures/wrike/mirroring.ts';

const wrike = await openWrike();
const { sql, standIn, run, runOnce, mirror, mirrors, addProject, change, overview, logged } = wrike;
const { ask, people } = wrike;
afterAll(() => wrike.close());

let clients = '';
beforeEach(async () => {
  standIn.clear();
  const space = standIn.add('Coaching');
  clients = standIn.add('Clients', space);
  await sql`delete from private.wrike_mirrors`;
  await sql`delete from private.jobs where kind = 'wrike_sync'`;
  await wrike.listFolders();
  await run();
  standIn.requests.length = 0;
  logged.length = 0;
});

const jobs = () => sql`
  select state, last_error, extract(epoch from run_at - now())::int as seconds
  from private.jobs where kind = 'wrike_sync'`;
const only = () => {
  const [project] = standIn.projects();
  if (!project) throw new Error('There’s no project in Wrike.');
  return project;
};
const asOwner = (call: string, values: unknown[]) => ask(people.owner, call, values);

test('Without a token nothing is asked, and the screen says what’s missing', async () => {
  await mirror(clients);
  await runOnce({ WRIKE_TOKEN: '' });
  expect(standIn.requests).toEqual([]);
  const problem = 'Wrike isn’t connected: WRIKE_TOKEN isn’t set.';
  expect(await jobs()).toMatchObject([{ state: 'waiting', last_error: problem }]);
  expect((await overview()).connection).toMatchObject({ problem, account: null });
});

test('The connection names the account and the data center', async () => {
  await ask(people.admin, "run_wrike('check')");
  await run();
  expect((await overview()).connection).toMatchObject({
    ...{ problem: null, account: { id: 'IEAAAAAQ', name: 'Alder Alliance' } },
    host: expect.stringMatching(/^127\.0\.0\.1:/),
  });
});

test('A wrong data center, a refused token and another account are said in words', async () => {
  const problemAfter = async (prepare: () => void, more = {}) => {
    prepare();
    await ask(people.admin, "run_wrike('check')");
    await runOnce(more);
    standIn.fault = () => null;
    return (await overview()).connection.problem;
  };
  standIn.fault = () => ({ status: 300 });
  expect(await problemAfter(() => {})).toMatch(/isn’t in the data center of 127.*WRIKE_API_BASE/);
  expect(await problemAfter(() => {}, { WRIKE_TOKEN: 'eyJ-secret' })).toMatch(
    /doesn’t accept WRIKE_TOKEN/,
  );
  expect(await problemAfter(() => {}, { WRIKE_API_BASE: 'app-eu' })).toBe(
    'Wrike didn’t answer at app-eu.',
  );
  await mirror(clients);
  await run();
  const own = standIn.account;
  standIn.account = { ...own, id: 'IEOTHER', name: 'Another' };
  expect(await problemAfter(() => {})).toMatch(/belongs to another account than/);
  standIn.account = own;
});

test('Folders are listed page by page, as a tree, and again when they change', async () => {
  standIn.largestPage = 2;
  const space = standIn.add('Apples');
  standIn.add('Zebra', standIn.add('Pears', space));
  await wrike.listFolders();
  // A page's token that Wrike doesn't know anymore.
  await sql`update private.wrike_settings set next_page = 'stale'`;
  await run();
  standIn.largestPage = 1_000;
  const { rows } = await ask(people.admin, 'admin_wrike_folders()');
  const shown = rows.map(({ title, kind, path, depth }: Record<string, unknown>) =>
    [depth, kind, title, path].join(' '),
  );
  expect(shown).toEqual([
    '0 space Apples ',
    '1 folder Pears Apples',
    '2 folder Zebra Apples / Pears',
    '0 space Coaching ',
    '1 folder Clients Coaching',
  ]);
  const found = await ask(people.admin, 'admin_wrike_folders($1)', [{ words: 'zeb' }]);
  expect(found.rows).toMatchObject([{ title: 'Zebra' }]);

  standIn.folders.delete(space);
  await wrike.listFolders();
  await run();
  const after = await ask(people.admin, 'admin_wrike_folders()');
  expect(after.rows.map(({ title }: { title: string }) => title)).toEqual([
    ...['Coaching', 'Clients', 'Pears', 'Zebra'],
  ]);
});

test('A test project is created where it was wanted, with a link, and deleted again', async () => {
  const id = await mirror(clients);
  await run();
  expect(only()).toMatchObject({
    ...{ parentId: clients, project: { status: 'OnHold' } },
    title: expect.stringMatching(/^Test project of 20.*can be deleted/),
  });
  expect(await mirrors()).toMatchObject([
    { id, is_test: true, state: 'sent', permalink: expect.stringContaining('wrike.com') },
  ]);
  await change(id, 'remove');
  await run();
  expect(standIn.projects()).toEqual([]);
  expect(await mirrors()).toEqual([]);
});

test('A project is mirrored with its dates, status, outcome and tasks in order, and nothing else', async () => {
  const { id, tasks } = await addProject('Answer <every> lead', ['One', 'Two', 'Three'], {
    ...{ outcome: 'Replies within a day & a half', baseline: 'Three days' },
    ...{ start: '2026-11-25', due: '2026-12-24' },
  });
  await asOwner('save_project_task($1, 1, $2, $3)', [tasks[1], 'Two', '2026-11-29']);
  await asOwner("set_project_task_state($1, 'done')", [tasks[2]]);
  await asOwner('add_project_update($1, $2, $3)', [
    ...[crypto.randomUUID(), id, 'A private update'],
  ]);
  await mirror(clients, id);
  await run();
  expect(only()).toMatchObject({
    title: 'Answer <every> lead',
    parentId: clients,
    description: expect.stringContaining('Replies within a day &amp; a half'),
    project: { status: 'OnHold', startDate: '2026-11-25', endDate: '2026-12-24' },
  });
  expect(only().description).toContain('Three days');
  expect(standIn.titles(only().id)).toEqual(['One', 'Two', 'Three']);
  expect(standIn.taskNamed('One')).toMatchObject({ status: 'Active', dates: { type: 'Backlog' } });
  expect(standIn.taskNamed('Two')?.dates).toMatchObject({ start: '2026-11-29', due: '2026-11-29' });
  expect(standIn.taskNamed('Three')?.status).toBe('Completed');
  expect(JSON.stringify(standIn.writes)).not.toContain('private update');
  expect(await mirrors()).toMatchObject([{ state: 'sent', tasks: 3 }]);
});

test('Only what changed is sent, and nothing if nothing did', async () => {
  const { id, tasks } = await addProject('Plan the week', ['One', 'Two'], { outcome: 'Less rush' });
  await mirror(clients, id);
  await run();
  // Wrike's people write their own description.
  only().description = 'Ours';
  standIn.writes.length = 0;

  await asOwner("move_project($1, 'planned')", [id]);
  await asOwner("set_project_task_state($1, 'done')", [tasks[0]]);
  await run();
  expect(standIn.writes).toEqual([
    { name: 'PUT /folders/{id}', given: { project: { status: 'Green' } } },
    { name: 'PUT /tasks/{id}', given: { status: 'Completed' } },
  ]);
  expect(only().description).toBe('Ours');

  // A change and its opposite cancel out; being worked on isn't sent.
  standIn.writes.length = 0;
  await asOwner("set_project_task_state($1, 'todo')", [tasks[0]]);
  await asOwner("set_project_task_state($1, 'done')", [tasks[0]]);
  await asOwner("set_project_task_state($1, 'doing')", [tasks[1]]);
  await run();
  expect(standIn.writes).toEqual([]);
  expect(await mirrors()).toMatchObject([{ state: 'sent' }]);
});

test('Tasks that are moved, added, removed and restored are so in Wrike, too', async () => {
  const { id, tasks } = await addProject('Sort it', ['One', 'Two', 'Three']);
  await mirror(clients, id);
  await run();
  await asOwner('move_project_task($1)', [tasks[2]]);
  await run();
  expect(standIn.titles(only().id)).toEqual(['Three', 'One', 'Two']);
  await asOwner('remove_project_task($1)', [tasks[0]]);
  await asOwner('add_project_task($1, $2, $3)', [crypto.randomUUID(), id, 'Four']);
  await run();
  expect(standIn.titles(only().id)).toEqual(['Three', 'Two', 'Four']);
  await asOwner('remove_project_task($1, false)', [tasks[0]]);
  await run();
  expect(standIn.titles(only().id)).toEqual(['Three', 'One', 'Two', 'Four']);
});

test('A project with more tasks than one round takes is sent completely', async () => {
  const names = Array.from({ length: 45 }, (_, n) => `Task ${n + 1}`);
  const { id } = await addProject('A lot to do', names);
  await mirror(clients, id);
  await run();
  expect(standIn.titles(only().id)).toEqual(names);
  expect(await mirrors()).toMatchObject([{ state: 'sent', tasks: 45 }]);
});

test.each([
  ['the connection is cut before Wrike did anything', 'drop'],
  ['the connection is cut after Wrike did it', 'lose'],
  ['Wrike did it and never answers', 'hang'],
  ['Wrike fails', { status: 503 }],
  ['Wrike asks to wait for a moment', { status: 429 }],
] as const)('A project and its tasks are created once when %s', async (_, fault) => {
  const { id } = await addProject('Once', ['One', 'Two']);
  await mirror(clients, id);
  const failed = new Set<string>();
  standIn.fault = (_number, name) => {
    if (!name.startsWith('POST') || failed.has(name)) return null;
    failed.add(name);
    return fault;
  };
  await run();
  expect(failed.size).toBe(2);
  expect(standIn.projects()).toHaveLength(1);
  expect(standIn.titles(only().id)).toEqual(['One', 'Two']);
  expect(standIn.writes.filter(({ name }) => name.startsWith('POST'))).toHaveLength(3);
});

test('A worker that’s killed right after the project was created leaves one project', async () => {
  const { id } = await addProject('Crash', ['One']);
  await mirror(clients, id);
  const child = spawn(
    process.execPath,
    [
      ...['--experimental-strip-types', '--disable-warning=ExperimentalWarning'],
      fileURLToPath(new URL('../../../fixtures/wrike/worker.ts', import.meta.url)),
    ],
    { env: { ...process.env, ...wrike.settings, DATABASE_URL: wrike.url } },
  );
  const exited = once(child, 'exit');
  standIn.fault = (_, name) => {
    if (name !== 'POST /folders/{id}/folders') return null;
    // It's been done, and nobody will ever read the answer.
    standIn.fault = () => null;
    setImmediate(() => child.kill('SIGKILL'));
    return 'hang';
  };
  await exited;
  expect(standIn.projects()).toHaveLength(1);
  // As if the lease of the job had run out.
  await sql`update private.jobs set run_at = now() where kind = 'wrike_sync'`;
  await run();
  expect(standIn.projects()).toHaveLength(1);
  expect(standIn.titles(only().id)).toEqual(['One']);
  expect(await mirrors()).toMatchObject([{ state: 'sent' }]);
}, 30_000);

test('Wrike is never asked for two changes at once, however many workers there are', async () => {
  standIn.slowness = 10;
  for (const title of ['One', 'Two', 'Three']) {
    await mirror(clients, (await addProject(title, ['A', 'B'])).id);
  }
  await sql`insert into private.jobs (kind) values ('wrike_sync'), ('wrike_sync')`;
  await Promise.all([runOnce(), runOnce(), runOnce()]);
  await run();
  expect(standIn.atOnce).toBe(1);
  expect(standIn.projects()).toHaveLength(3);
  expect(await mirrors({ state: 'sent' })).toHaveLength(3);
});

test('The job waits as long as Wrike asks it to', async () => {
  await mirror(clients);
  standIn.fault = (_, name) =>
    name.startsWith('POST') ? { status: 429, headers: { 'retry-after': '600' } } : null;
  await runOnce();
  const [job] = await jobs();
  expect(job).toMatchObject({ state: 'waiting', last_error: 'Wrike asks us to wait.' });
  expect(job?.seconds).toBeGreaterThan(590);
  standIn.fault = () => null;
  await sql`update private.jobs set run_at = now() where kind = 'wrike_sync'`;
  await run();
  expect(standIn.projects()).toHaveLength(1);
});

test('A project that fails again and again doesn’t keep back the others', async () => {
  await mirror(clients, (await addProject('Fails', [])).id);
  await mirror(clients, (await addProject('Works', [])).id);
  standIn.failing = 'Fails';
  await runOnce();
  expect(standIn.projects().map(({ title }) => title)).toEqual(['Works']);
  standIn.failing = null;
  await run();
  expect(standIn.projects()).toHaveLength(2);
});

test('A task that Wrike refuses is named with the reason, and the others are sent', async () => {
  const { id, tasks } = await addProject('Mostly fine', ['One', 'bad task', 'Three']);
  await mirror(clients, id);
  await run();
  expect(standIn.titles(only().id).toSorted()).toEqual(['One', 'Three']);
  expect(await mirrors({ state: 'refused' })).toMatchObject([
    { reason: 'A task was refused: Parameter title is invalid: bad task' },
  ]);
  const count = standIn.writes.length;
  await run();
  expect(standIn.writes).toHaveLength(count);
  await asOwner('save_project_task($1, 1, $2)', [tasks[1], 'Good task']);
  await run();
  expect(standIn.titles(only().id)).toEqual(['One', 'Good task', 'Three']);
  expect(await mirrors()).toMatchObject([{ state: 'sent', reason: null }]);
});

test('A folder that’s gone is the reason, and sending again helps once it’s back', async () => {
  const folder = standIn.folders.get(clients);
  const id = await mirror(clients);
  standIn.folders.delete(clients);
  await run();
  expect(await mirrors()).toMatchObject([
    { state: 'refused', reason: expect.stringContaining('The folder isn’t in Wrike anymore') },
  ]);
  if (folder) standIn.folders.set(clients, folder);
  await change(id, 'replay');
  await run();
  expect(await mirrors()).toMatchObject([{ state: 'sent' }]);
});

test('A project that Wrike’s people deleted isn’t created again until an admin says so', async () => {
  const project = await addProject('Deleted there', ['One', 'Two']);
  const id = await mirror(clients, project.id);
  await run();
  standIn.folders.delete(only().id);
  standIn.tasks.clear();
  await asOwner("move_project($1, 'planned')", [project.id]);
  await run();
  expect(standIn.projects()).toEqual([]);
  expect(await mirrors()).toMatchObject([{ state: 'refused', is_gone: true }]);
  await change(id, 'replay');
  await run();
  expect(standIn.titles(only().id)).toEqual(['One', 'Two']);
});

test('A task that Wrike’s people deleted is created again with its next change', async () => {
  const { id, tasks } = await addProject('Deleted task', ['One', 'Two']);
  await mirror(clients, id);
  await run();
  const one = standIn.taskNamed('One');
  standIn.tasks.delete(one?.id ?? '');
  await asOwner("set_project_task_state($1, 'done')", [tasks[0]]);
  await run();
  expect(standIn.taskNamed('One')?.status).toBe('Completed');
  expect(await mirrors()).toMatchObject([{ state: 'sent' }]);
});

test('Stopping leaves the project in Wrike as it is, and continuing sends what changed', async () => {
  const project = await addProject('Paused', ['One']);
  const id = await mirror(clients, project.id);
  await run();
  await change(id, 'stop');
  await asOwner("move_project($1, 'canceled')", [project.id]);
  await run();
  expect(only().project?.status).toBe('OnHold');
  expect(await mirrors({ state: 'kept' })).toHaveLength(1);
  await change(id, 'continue');
  await run();
  expect(only().project?.status).toBe('Cancelled');
});

test('What’s stopped before it got there never gets there', async () => {
  const id = await mirror(clients);
  await change(id, 'stop');
  await run();
  expect(standIn.projects()).toEqual([]);
  expect(await mirrors()).toEqual([]);
});

test('What’s stopped while nobody knows whether it got there is deleted there', async () => {
  const id = await mirror(clients);
  standIn.fault = (_, name) => {
    if (name.startsWith('POST')) return 'lose';
    return name === 'GET /folders' && standIn.projects().length > 0 ? 'drop' : null;
  };
  await runOnce();
  expect(standIn.projects()).toHaveLength(1);
  await change(id, 'stop');
  standIn.fault = () => null;
  await run();
  expect(standIn.projects()).toEqual([]);
  expect(await mirrors()).toEqual([]);
});

test('A business that’s erased here is removed there, and nothing of it is kept', async () => {
  const { id } = await addProject('Secretname', ['Secretname task']);
  const kept = await mirror(clients, id);
  await run();
  await change(kept, 'stop');
  await sql.begin(async (tx) => {
    await tx`select set_config('trellis.erasing', 'on', true)`;
    await tx`delete from public.project_tasks where project_id = ${id}`;
    await tx`delete from public.project_events where project_id = ${id}`;
    await tx`delete from public.projects where id = ${id}`;
  });
  const [row] = await sql`select * from private.wrike_mirrors where project_id = ${id}`;
  expect(row).toMatchObject({ wants: 'remove', sent: null });
  expect(await sql`select from private.wrike_tasks where mirror_id = ${kept}`).toHaveLength(0);
  await run();
  expect(standIn.projects()).toEqual([]);
  expect(await mirrors()).toEqual([]);
});

test('A deletion whose answer is lost is done', async () => {
  const id = await mirror(clients);
  await run();
  await change(id, 'remove');
  let isFirst = true;
  standIn.fault = (_, name) => {
    if (!name.startsWith('DELETE') || !isFirst) return null;
    isFirst = false;
    return 'lose';
  };
  await run();
  expect(standIn.projects()).toEqual([]);
  expect(await mirrors()).toEqual([]);
});

test('What’s logged names nobody, and the token is in no log or answer', async () => {
  const { id } = await addProject('Secretname', ['bad Secretname', 'Secretname']);
  await mirror(clients, id);
  standIn.fault = (number) =>
    number % 3 === 0 ? { status: number % 2 ? 500 : 403, message: 'Secretname' } : null;
  await run(4);
  standIn.fault = (_, name) => (name === 'GET /account' ? { status: 401, message: 'no' } : 'drop');
  await ask(people.admin, "run_wrike('check')");
  await asOwner("move_project($1, 'planned')", [id]);
  await runOnce();
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join('\n')).not.toMatch(/secretname|alder|eyJ/i);
  const said = JSON.stringify([await overview(), await mirrors(), await jobs()]);
  expect(said).not.toContain('eyJ');
});
