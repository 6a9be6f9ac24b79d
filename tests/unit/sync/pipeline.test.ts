import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProjectTask } from '#data/projects.ts';
import { ANSWER_WITHIN_MS } from '#lib/answer-within.ts';
import { $unsaved } from '#lib/browser/unsaved.ts';
import { AppError } from '#lib/errors.ts';
import { taskKind } from '#sync/kinds/project-task.ts';
import { updateKind } from '#sync/kinds/project-update.ts';
import type { Sync } from '#sync/sync.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { sentTo, syncOf } from '../../fixtures/test-sync.ts';

type Trouble = 'none' | 'offline' | 'answer-lost' | 'silent' | 'too-many' | 'expired';

const TROUBLES = ['none', 'offline', 'answer-lost', 'silent', 'too-many', 'expired'] as const;
const ARCHIVED = 'This business is archived.';

/** Random events in one browser; `look` compares what its tabs list as unsent. */
const stepOf = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      tab: fc.nat(2),
      kind: fc.constantFrom('task', 'update'),
      key: fc.constantFrom('a', 'b', 'c'),
    }),
  },
  fc.record({ do: fc.constant('trouble' as const), trouble: fc.constantFrom(...TROUBLES) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 700, 3_000, 20_000) }),
  fc.record({ do: fc.constant('reload' as const), tab: fc.nat(2) }),
  fc.record({
    do: fc.constant('account' as const),
    person: fc.constantFrom('maria', 'peter', null),
  }),
  fc.record({ do: fc.constant('look' as const) }),
);
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never;

/** A browser with three tabs, and a database that upserts by id. */
function world({ locks, storage }: { locks: boolean; storage: boolean }) {
  const site = stillBrowser({ locks, storage });
  const state = { trouble: 'none' as Trouble, person: 'maria' as string | null };
  /** The values stored for each name, in order. Storing the latest one again has no effect. */
  const stored = new Map<string, string[]>();
  const strangers: string[] = [];

  async function store(name: string, text: string): Promise<void> {
    const { trouble } = state;
    if (state.person !== 'maria') strangers.push(name);
    if (trouble === 'offline') throw new AppError('network');
    if (trouble === 'expired') throw new AppError('signed-out');
    if (trouble === 'too-many') throw new AppError('rate-limited', undefined, { retryAfter: 5 });
    const before = stored.get(name) ?? [];
    if (before.at(-1) !== text) stored.set(name, [...before, text]);
    if (trouble === 'answer-lost') throw new AppError('network');
    if (trouble === 'silent') await new Promise(() => {});
  }

  const open = () =>
    syncOf(
      'maria',
      site.openTab(),
      [
        sentTo(taskKind, async ({ title }, key) => {
          await store(`task:${key}`, title);
          return taskOf(key, title);
        }),
        sentTo(updateKind, async ({ body }, key) => {
          await store(`update:${key}`, body);
          return { at: '' };
        }),
      ],
      async () => state.person,
    );
  const tabs: [Sync, Sync, Sync] = [open(), open(), open()];
  return { site, state, stored, strangers, open, tabs };
}

/** A task as the database returns it. */
const taskOf = (id: string, title: string): ProjectTask => ({
  id,
  title,
  state: 'todo',
  blocked_reason: null,
  due_on: null,
  position: '1',
  revision: 1,
});

function write(sync: Sync, kind: string, key: string, text: string) {
  if (kind === 'task') {
    sync.write(taskKind, key, { id: key, projectId: 'p', title: text, dueOn: '' });
  } else sync.write(updateKind, key, { id: key, projectId: 'p', body: text });
}

describe('Whatever happens on the way', () => {
  test.each([
    { locks: true, storage: true },
    { locks: false, storage: true },
  ])('What was written last arrives, in order and once in effect (%o)', async (browser) => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepOf, { maxLength: 25 }), async (steps) => {
        const { site, state, stored, strangers, open, tabs } = world(browser);
        const last = new Map<string, number>();
        const written = new Map<string, number[]>();
        let count = 0;
        const run: Record<Step['do'], (step: never) => Promise<void> | void> = {
          write({ tab, kind, key }: Step & { do: 'write' }) {
            count += 1;
            const name = `${kind}:${key}`;
            last.set(name, count);
            written.set(name, [...(written.get(name) ?? []), count]);
            const sync = tabs[tab as 0 | 1 | 2];
            write(sync, kind, key, String(count));
            // The tab knows at once that the server doesn't have it yet.
            expect(sync.statusOf(kind === 'task' ? taskKind : updateKind, key).name).not.toBe(
              'saved',
            );
          },
          trouble({ trouble }: Step & { do: 'trouble' }) {
            state.trouble = trouble;
          },
          pass: ({ ms }: Step & { do: 'pass' }) => site.pass(ms),
          reload({ tab }: Step & { do: 'reload' }) {
            tabs[tab as 0 | 1 | 2].close();
            tabs[tab as 0 | 1 | 2] = open();
          },
          account({ person }: Step & { do: 'account' }) {
            state.person = person;
          },
          look() {
            // Only the status may differ between tabs, because one sends while the others wait.
            const [first, ...others] = tabs.map((tab) =>
              tab.$unsent.get().map(({ status: _, ...entry }) => entry),
            );
            for (const other of others) expect(other).toEqual(first);
          },
        };
        for (const step of steps) {
          await run[step.do](step as never);
          await settle();
        }
        state.trouble = 'none';
        state.person = 'maria';
        for (let round = 0; round < 6; round += 1) {
          site.wake('connection');
          await site.pass(ANSWER_WITHIN_MS);
        }
        const latest = [...stored].map(([name, texts]) => [name, Number(texts.at(-1))]);
        expect(new Map(latest as [string, number][])).toEqual(last);
        // Values are stored in the order they were written, and none twice.
        for (const [name, texts] of stored) {
          const order = texts.map(Number);
          expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b));
          expect(written.get(name)).toEqual(expect.arrayContaining(order));
        }
        expect(strangers).toEqual([]);
        expect(site.kept.size).toBe(0);
        for (const tab of tabs) {
          expect(tab.$unsent.get()).toEqual([]);
          tab.close();
        }
        expect($unsaved.get()).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

describe('One thing that was written', () => {
  const task = { id: 't', projectId: 'p', title: 'Measure the door', dueOn: '' };

  test('that is refused says why, holds nothing else up, and is written anew or given up', async () => {
    const site = stillBrowser();
    let isArchived = true;
    const sync = syncOf('maria', site.openTab(), [
      sentTo(taskKind, async ({ id, title }) => {
        if (isArchived && id === 't') throw new AppError('conflict', ARCHIVED, { code: '55000' });
        return taskOf(id, title);
      }),
    ]);
    sync.write(taskKind, 't', task);
    sync.write(taskKind, 'u', { ...task, id: 'u' });
    await settle();
    expect(sync.statusOf(taskKind, 't')).toEqual({ name: 'refused', reason: ARCHIVED });
    expect(sync.statusOf(taskKind, 'u')).toEqual({ name: 'saved' });
    expect($unsaved.get()).toBe(false);
    isArchived = false;
    sync.write(taskKind, 't', task);
    await settle();
    expect(sync.$unsent.get()).toEqual([]);
  });

  test('that the browser would not store says so, and is sent all the same', async () => {
    const site = stillBrowser();
    site.limits.full = true;
    const line = { failure: new AppError('network') as AppError | null };
    const sync = syncOf('maria', site.openTab(), [
      sentTo(taskKind, async () => {
        if (line.failure) throw line.failure;
        return taskOf('t', '');
      }),
    ]);
    sync.write(taskKind, 't', task);
    await settle();
    expect(sync.statusOf(taskKind, 't')).toEqual({ name: 'memory-only' });
    line.failure = null;
    site.wake('connection');
    await settle();
    expect(sync.statusOf(taskKind, 't')).toEqual({ name: 'saved' });
  });

  test('is told of where it was sent, with the answer, and in other tabs without it', async () => {
    const site = stillBrowser();
    const tabOf = (send: () => Promise<ProjectTask>) =>
      syncOf('maria', site.openTab(), [sentTo(taskKind, send)]);
    const [one, two] = [
      tabOf(async () => taskOf('t', 'Measure the door')),
      tabOf(() => Promise.reject(new AppError('network'))),
    ];
    const heard: unknown[] = [];
    one.onStored(taskKind, ({ key }, sent) => heard.push(['one', key, sent?.answer.title]));
    two.onStored(taskKind, ({ key }, sent) => heard.push(['two', key, sent]));
    one.write(taskKind, 't', task);
    await settle();
    await site.pass(1_000);
    expect(heard.toSorted()).toEqual([
      ['one', 't', 'Measure the door'],
      ['two', 't', null],
    ]);
  });

  test('that no page can send stays stored, and holds no newer version of the site back', async () => {
    const site = stillBrowser();
    const stored = `{"kind":"of-a-newer-version","key":"x","body":{},"at":0}`;
    site.kept.set('trellis-outbox:maria:of-a-newer-version:x:000000000000001-x', stored);
    const broken = `{"kind":"project-task","key":"x","body":{"title":7},"at":0}`;
    site.kept.set('trellis-outbox:maria:project-task:x:000000000000002-x', broken);
    syncOf('maria', site.openTab(), [sentTo(taskKind, async () => taskOf('t', ''))]);
    await settle();
    expect(site.kept.size).toBe(2);
    expect($unsaved.get()).toBe(false);
  });
});
