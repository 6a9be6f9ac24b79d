import { expect, test } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { taskKind } from '#sync/kinds/project-task.ts';
import { updateKind } from '#sync/kinds/project-update.ts';
import { Sync } from '#sync/sync.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { sentTo, syncOf } from '../../fixtures/test-sync.ts';

/** A browser where a closed page has left a task unsent, and what the database gets. */
async function unsentTask() {
  const site = stillBrowser();
  const stored: string[] = [];
  const state = { isOnline: true, loads: 0 };
  const update = sentTo(updateKind, async ({ body }) => {
    stored.push(body);
    return { at: '' };
  });
  const task = sentTo(taskKind, async ({ title }) => {
    stored.push(title);
    return null as never;
  });
  const left = syncOf('maria', site.openTab(), []);
  left.write(
    sentTo(taskKind, () => Promise.reject(new AppError('network'))),
    'a',
    { id: 'a', projectId: 'p', title: 'Measure the door', dueOn: '' },
  );
  await settle();
  left.close();
  const open = () =>
    new Sync({
      owner: 'maria',
      environment: site.openTab(),
      signedInAs: async () => 'maria',
      async loadKinds() {
        state.loads += 1;
        if (!state.isOnline) throw new AppError('network');
        return [task, update];
      },
    });
  return { site, stored, state, open, task, update };
}

test('A page sends what another kind of page left unsent', async () => {
  const { stored, state, open } = await unsentTask();
  const page = open();
  await settle();
  expect(stored).toEqual(['Measure the door']);
  expect(page.$unsent.get()).toEqual([]);
  expect(state.loads).toBe(1);
});

test('If it can’t load how to send it, it sends its own writes, and the other one once it can', async () => {
  const { site, stored, state, open, update } = await unsentTask();
  state.isOnline = false;
  const page = open();
  page.write(update, 'u', { id: 'u', projectId: 'p', body: 'The door fits' });
  await settle();
  expect(stored).toEqual(['The door fits']);
  expect(page.$unsent.get().map(({ key }) => key)).toEqual(['a']);
  state.isOnline = true;
  site.wake('connection');
  await settle();
  expect(stored).toEqual(['The door fits', 'Measure the door']);
});

test('A page that follows the task itself sends it and hears of it, without loading other kinds', async () => {
  const { stored, state, open, task } = await unsentTask();
  state.isOnline = false;
  const page = open();
  const arrived: string[] = [];
  page.onStored(task, ({ value }) => arrived.push(value.title));
  await settle();
  expect(stored).toEqual(['Measure the door']);
  expect(arrived).toEqual(['Measure the door']);
});

test('A page with nothing of another kind to send loads no other kinds', async () => {
  const { state, open, update } = await unsentTask();
  const first = open();
  await settle();
  first.close();
  const page = open();
  page.write(update, 'u', { id: 'u', projectId: 'p', body: 'The door fits' });
  await settle();
  expect(page.$unsent.get()).toEqual([]);
  expect(state.loads).toBe(1);
});
