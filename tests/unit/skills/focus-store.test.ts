import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import type { FocusArea, Standing, StandingArea } from '#data/skills.ts';
import { focusChoices, settledText, suggestedAction } from '#domain/focus.ts';
import { actionSchema } from '#features/skills/action-schema.ts';
import { createFocusStore } from '#features/skills/focus-store.ts';
import type { AppError } from '#lib/errors.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const action = (id: string, state: 'open' | 'done' | 'dropped' = 'open', question = 'q') => ({
  id,
  question_key: question,
  body: `Do ${id}`,
  due_on: '2026-12-21',
  remind: true,
  state,
  created_at: '2026-11-21T00:00:00Z',
  settled_at: null,
});
const area = (change: Partial<FocusArea> = {}): FocusArea => ({
  id: 'f',
  area_key: 'web',
  area_name: 'Web design',
  attempt_id: 'a',
  state: 'open',
  chosen_at: '2026-11-21T00:00:00Z',
  ended_at: null,
  actions: [action('one')],
  ...change,
});

/** A database that keeps one area, and can be made to fail. */
function backend(initial = [area()]) {
  let kept = initial;
  const asked: [string, Record<string, unknown>][] = [];
  const failures: unknown[] = [];
  const told: { error: AppError; again: () => void }[] = [];
  const undos: (() => void)[] = [];
  const ended: true[] = [];
  const lostAnswers: true[] = [];
  const written = (args: Record<string, unknown>) => ({
    body: String(args.p_body),
    due_on: String(args.p_due_on),
    remind: Boolean(args.p_remind),
  });
  const change = (id: string, state: 'open' | 'done' | 'dropped') =>
    kept.map((each) => ({
      ...each,
      actions: each.actions.map((one) => (one.id === id ? { ...one, state } : one)),
    }));
  const rpc = async (name: string, args: Record<string, unknown>) => {
    asked.push([name, args]);
    await Promise.resolve();
    const error = failures.shift();
    if (error) return { data: null, error, status: 0 };
    if (name === 'settle_focus_action') {
      kept = change(String(args.p_id), args.p_state as 'done');
    } else if (name === 'end_focus_area') {
      kept = kept.map((each) => ({ ...each, state: 'ended' as const }));
    } else if (
      name === 'add_focus_action' &&
      !kept.some(({ actions }) => actions.some(({ id }) => id === args.p_id))
    ) {
      kept = kept.map((each) => ({
        ...each,
        actions: [{ ...action(String(args.p_id)), ...written(args) }, ...each.actions],
      }));
    } else if (name === 'change_focus_action') {
      kept = kept.map((each) => ({
        ...each,
        actions: each.actions.map((one) =>
          one.id === args.p_id ? { ...one, ...written(args) } : one,
        ),
      }));
    }
    if (lostAnswers.shift()) return { data: null, error: lost, status: 0 };
    return { data: kept, error: null, status: 200 };
  };
  const store = createFocusStore(
    {
      db: async () => dbAnswering({ rpc }),
      signedOut: () => ended.push(true),
      failed: (error, again) => told.push({ error, again }),
      settled: (_state, undo) => undos.push(undo),
    },
    initial,
  );
  const states = () =>
    store.$areas.get().flatMap(({ actions }) => actions.map(({ state }) => state));
  return { store, asked, failures, lostAnswers, told, undos, ended, states };
}

const lost = { message: 'TypeError: Failed to fetch', code: '' };

describe('An owner who settles an action', () => {
  test('sees it at once, and may undo it', async () => {
    const { store, states, undos } = backend();
    const done = store.settle('one', 'done');
    expect(states()).toEqual(['done']);
    await done;
    expect(states()).toEqual(['done']);
    undos[0]?.();
    await vi.waitFor(() => expect(states()).toEqual(['open']));
    // Opening again is no step to undo.
    expect(undos).toHaveLength(1);
  });

  test('has it open again when it could not be kept, hears why, and can try again', async () => {
    const { store, states, failures, told, undos } = backend();
    failures.push(lost);
    await store.settle('one', 'done');
    expect(states()).toEqual(['open']);
    expect(undos).toEqual([]);
    expect(told[0]?.error.kind).toBe('network');
    told[0]?.again();
    await vi.waitFor(() => expect(states()).toEqual(['done']));
  });

  test('and then chooses the next one: it is sent after the step before it', async () => {
    const { store, asked } = backend();
    const next = { id: 'two', questionKey: null, body: 'More', dueOn: '2026-12-21', remind: true };
    void store.settle('one', 'done');
    await store.next('f', next);
    expect(asked.map(([name]) => name)).toEqual(['settle_focus_action', 'add_focus_action']);
  });
});

describe('An owner who stops working on an area', () => {
  test('sees it go, and come back when it was refused', async () => {
    const { store, failures, told } = backend();
    failures.push({ message: 'This focus area was not found.', code: 'P0002' });
    const ended = store.end('f');
    expect(store.$areas.get()[0]?.state).toBe('ended');
    await ended;
    expect(store.$areas.get()[0]?.state).toBe('open');
    expect(told[0]?.error.message).toBe('This focus area was not found.');
  });
});

describe('A form whose sending fails', () => {
  test('hears it itself, and sends the same id the next time', async () => {
    const { store, asked, failures, told } = backend([area({ actions: [] })]);
    failures.push(lost);
    const next = { id: 'two', questionKey: null, body: 'More', dueOn: '2026-12-21', remind: true };
    await expect(store.next('f', next)).rejects.toMatchObject({ kind: 'network' });
    await store.next('f', next);
    expect(asked.map(([, args]) => args.p_id)).toEqual(['two', 'two']);
    expect(told).toEqual([]);
  });

  test('loses nothing that is typed anew, where it had arrived and only its answer was lost', async () => {
    const { store, lostAnswers } = backend([area({ actions: [] })]);
    lostAnswers.push(true);
    const next = { id: 'two', questionKey: null, body: 'More', dueOn: '2026-12-21', remind: true };
    await expect(store.next('f', next)).rejects.toMatchObject({ kind: 'network' });
    await store.next('f', { ...next, body: 'More, by Friday', dueOn: '2026-12-18' });
    expect(store.$areas.get()[0]?.actions).toMatchObject([
      { id: 'two', body: 'More, by Friday', due_on: '2026-12-18' },
    ]);
  });
});

const standing = (areas: Partial<StandingArea>[]): Standing => ({
  attempt: {
    id: 'a',
    kind: 'full',
    submitted_at: '2026-11-01T00:00:00Z',
    overall_score: 50,
    retake_after: '2027-01-30T00:00:00Z',
  },
  areas: areas.map((each, index) => ({
    key: `k${index}`,
    label: '',
    short_label: '',
    score: 50,
    level: 'established',
    recommended: null,
    practice: null,
    tool: null,
    ...each,
  })),
});

describe('A session that is over', () => {
  test('is opened again in place, whatever was pressed', async () => {
    const { store, failures, ended } = backend();
    const over = { message: 'Your session was ended.', code: 'PT401', status: 401 };
    failures.push(over, over);
    await store.settle('one', 'done');
    await expect(
      store.change('one', { body: 'Do', dueOn: '2026-12-21', remind: true }),
    ).rejects.toMatchObject({ kind: 'signed-out' });
    expect(ended).toHaveLength(2);
  });
});

describe('What can be chosen', () => {
  test('The recommended ones in their order, then the others, weakest first', () => {
    const from = standing([
      { score: 10 },
      { score: 60, recommended: 2 },
      { score: null },
      { score: 5 },
      { score: 70, recommended: 1 },
    ]);
    expect(focusChoices(from.areas, []).map(({ key }) => key)).toEqual(['k4', 'k1', 'k3', 'k0']);
  });

  test('Never one that is worked on, or that has no number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ score: fc.option(fc.float({ min: 0, max: 100, noNaN: true })) }), {
          maxLength: 8,
        }),
        fc.subarray(['k0', 'k1', 'k2', 'k3']),
        (areas, taken) => {
          const open = taken.map((key) => area({ area_key: key }));
          const ended = area({ area_key: 'k5', state: 'ended' });
          const found = focusChoices(standing(areas).areas, [...open, ended]);
          for (const { key, score } of found) {
            expect(taken).not.toContain(key);
            expect(score).not.toBeNull();
          }
          const scored = areas.filter(
            ({ score }, index) => score !== null && !taken.includes(`k${index}`),
          );
          expect(found).toHaveLength(scored.length);
        },
      ),
    );
  });

  test('An action begins from the weakest practice, unless that was there already', () => {
    const practice = { question_key: 'q', name: 'A price', action: 'Use the worksheet.' };
    expect(suggestedAction(practice)).toEqual({ questionKey: 'q', body: 'Use the worksheet.' });
    expect(suggestedAction(practice, area({ actions: [action('one', 'done', 'q')] }))).toBeNull();
    expect(suggestedAction(undefined)).toBeNull();
  });

  test('What was settled is counted in words', () => {
    expect(settledText(area())).toBeNull();
    expect(
      settledText(
        area({ actions: [action('a', 'done'), action('b', 'dropped'), action('c', 'done')] }),
      ),
    ).toBe('2 done, 1 dropped');
  });
});

describe('What an action accepts', () => {
  const said = (input: { body?: string; dueOn?: string }, kept?: string) =>
    v.safeParse(actionSchema('2026-11-21', kept), {
      body: 'Call them',
      dueOn: '2026-12-21',
      remind: true,
      ...input,
    }).issues?.[0].message;

  test('Words and a day from today on, and it says what is wrong', () => {
    expect(said({})).toBeUndefined();
    expect(said({ body: '   ' })).toBe('Say what you will do.');
    expect(said({ body: 'x'.repeat(601) })).toBe('Keep it to 600 characters.');
    expect(said({ dueOn: '' })).toBe('Choose a day.');
    const range = 'Choose a day from today on, within a year.';
    expect(said({ dueOn: '2026-11-20' })).toBe(range);
    expect(said({ dueOn: '2028-01-01' })).toBe(range);
    expect(said({ dueOn: '2026-11-01' }, '2026-11-01')).toBeUndefined();
  });
});
