import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { $unsaved } from '#lib/unsaved.ts';
import { type OutboxDeps, openOutbox } from '#stores/outbox.ts';
import { createShelf } from '#sync/outbox-shelf.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';

const task = { id: 'task-1', projectId: 'ovens', title: 'Measure the door', dueOn: '' };
const update = { id: 'update-1', projectId: 'ovens', body: 'They came.' };

const deps = {
  saveAnswers: async () => {},
  saveConfidences: async () => {},
  signedInAs: async () => 'maria',
  addTask: vi.fn<NonNullable<OutboxDeps['addTask']>>(),
  addUpdate: vi.fn<NonNullable<OutboxDeps['addUpdate']>>(),
  sendMessage: vi.fn<NonNullable<OutboxDeps['sendMessage']>>(),
};

beforeEach(() => {
  for (const each of [deps.addTask, deps.addUpdate, deps.sendMessage]) each.mockReset();
});

/** A browser in which a tab was closed before what was written there had gone out. */
function closedTab(...left: [kind: string, key: string, body: unknown][]) {
  const site = stillBrowser();
  const shelf = createShelf('maria', site.openTab());
  for (const each of left) shelf.put(...each);
  return site;
}

describe('What a closed tab left unsent', () => {
  test('A task and an update of a project go out from whatever page is opened next', async () => {
    const site = closedTab(['project-task', task.id, task], ['project-update', update.id, update]);
    const outbox = openOutbox('maria', deps, site.openTab());
    expect($unsaved.get()).toBe(true);
    await settle();
    expect(deps.addTask.mock.calls).toEqual([[task]]);
    expect(deps.addUpdate.mock.calls).toEqual([[update]]);
    expect(site.kept.size).toBe(0);
    // Nothing holds the offer of a newer version back any longer.
    expect($unsaved.get()).toBe(false);
    outbox.close();
  });

  test('The page that shows the project hears what was stored', async () => {
    const site = closedTab(['project-task', task.id, task]);
    const stored = { id: task.id, title: task.title, position: 'm', revision: 1 };
    deps.addTask.mockResolvedValue(stored as never);
    const heard = vi.fn();
    const outbox = openOutbox('maria', deps, site.openTab(), { task: heard });
    await settle();
    expect(heard.mock.calls).toEqual([[task, stored]]);
    outbox.close();
  });

  test('Too many tasks in a short time wait by themselves and hold no message up', async () => {
    const message = { id: 'message-1' };
    const site = closedTab(['project-task', task.id, task], ['message', message.id, message]);
    deps.addTask.mockRejectedValueOnce(new AppError('rate-limited'));
    const outbox = openOutbox('maria', deps, site.openTab());
    await settle();
    expect(deps.sendMessage.mock.calls).toEqual([[message]]);
    expect(site.kept.size).toBe(1);
    await site.pass(2_000);
    expect(site.kept.size).toBe(0);
    outbox.close();
  });

  test('What no page knows how to send stays kept, and holds no newer version back', async () => {
    const site = closedTab(['of-an-older-version', 'x', {}]);
    const outbox = openOutbox('maria', deps, site.openTab());
    await settle();
    expect(site.kept.size).toBe(1);
    expect($unsaved.get()).toBe(false);
    outbox.close();
  });
});
