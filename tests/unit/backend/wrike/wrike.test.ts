/**
 * Each request that we make, and what comes back. With WRIKE_TEST_TOKEN, in Wrike itself: use a test
 * account, and WRIKE_API_BASE if it isn't at www.wrike.com. Everything that's created is deleted.
 */
import { afterAll, expect, test } from 'vitest';
import { withSettings } from '#backend/supabase/functions/_shared/settings.ts';
import { type Wrike, wrike } from '#backend/supabase/functions/_shared/wrike.ts';
import { WrikeStandIn } from '../../../fixtures/wrike/stand-in.ts';

const token = process.env.WRIKE_TEST_TOKEN;
const standIn = token ? null : await new WrikeStandIn().open();
afterAll(() => standIn?.close());
standIn?.add('Clients', standIn.add('Coaching'));

const settings = token
  ? { WRIKE_TOKEN: token, WRIKE_API_BASE: process.env.WRIKE_API_BASE }
  : { WRIKE_TOKEN: standIn?.token, WRIKE_API_BASE: standIn?.url };
const patience = { requestLimit: 10_000, pause: token ? 1_000 : 1 };
const clientWith = (more: object = {}): Wrike => {
  const client = withSettings({ ...settings, ...more }, () =>
    wrike(new AbortController().signal, patience),
  );
  if (!client) throw new Error('There’s no token.');
  return client;
};
const client = clientWith();

/** Every folder, page by page. */
async function everyFolder() {
  const all = [];
  let next: string | null = null;
  do {
    const page = await client.folders(next);
    all.push(...page.folders);
    next = page.next;
  } while (next !== null);
  return all;
}

test('Wrike says whose account it is', async () => {
  expect(await client.account()).toEqual({ id: expect.any(String), name: expect.any(String) });
});

test('Folders come in pages, with what they contain and whether they’re a space', async () => {
  if (standIn) standIn.largestPage = 1;
  const folders = await everyFolder();
  if (standIn) standIn.largestPage = 1_000;
  expect(folders.some(({ space }) => space)).toBe(true);
  expect(new Set(folders.map(({ id }) => id)).size).toBe(folders.length);
});

test('A project and its tasks are created, found by our id, changed and deleted', async () => {
  const folders = await everyFolder();
  const parent = folders.find(({ space }) => space)?.id ?? '';
  const id = crypto.randomUUID();
  const project = await client.createProject(parent, id, {
    ...{ title: 'Test of the API client', description: 'A &amp; B', status: 'OnHold' },
    ...{ startDate: '2026-11-25', endDate: '2026-12-24' },
  });
  try {
    expect(await client.findProject(id)).toMatchObject({ id: project.id });
    expect(await client.findProject(crypto.randomUUID())).toBe(null);
    await client.updateProject(project.id, { status: 'Completed', endDate: null });

    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const first = await client.createTask(project.id, one, { title: 'One', status: 'Active' });
    const second = await client.createTask(project.id, two, {
      ...{ title: 'Two', status: 'Completed', dueDate: '2026-11-29', priorityAfter: first.id },
    });
    expect(await client.findTask(project.id, two)).toMatchObject({ id: second.id });
    await client.updateTask(second.id, { dueDate: null, priorityBefore: first.id });
    await client.deleteTask(first.id);
    if (standIn) expect(standIn.titles(project.id)).toEqual(['Two']);
  } finally {
    await client.deleteProject(project.id);
  }
  expect(await client.findProject(id)).toBe(null);
});

test('What isn’t there is gone, and what can’t be is refused with the reason', async () => {
  const [folder] = await everyFolder();
  const gone = token ? 'IEAAAAAQI4AAAAAA' : 'IEAAAAAQI999999';
  await expect(client.updateProject(gone, { title: 'X' })).rejects.toMatchObject({
    why: expect.stringMatching(/gone|refused/),
  });
  const empty = client.createProject(folder?.id ?? '', crypto.randomUUID(), { title: ' ' });
  await expect(empty).rejects.toMatchObject({ why: 'refused', message: expect.any(String) });
});

test('Another token than ours isn’t accepted', async () => {
  await expect(clientWith({ WRIKE_TOKEN: 'eyJ-other' }).account()).rejects.toMatchObject({
    why: 'token',
  });
});

test.skipIf(token)('A busy Wrike is asked again after longer and longer pauses', async () => {
  if (!standIn) return;
  const start = standIn.requests.length;
  standIn.fault = (number) => (number - start <= 3 ? { status: 429 } : null);
  expect(await client.account()).toEqual({ id: 'IEAAAAAQ', name: 'Alder Alliance' });
  expect(standIn.requests.length - start).toBe(4);
  // If it stays busy, the job waits instead.
  standIn.fault = () => ({ status: 429 });
  await expect(client.account()).rejects.toMatchObject({ why: 'busy' });
  standIn.fault = () => null;
});
