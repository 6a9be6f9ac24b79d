import * as fc from 'fast-check';
import * as v from 'valibot';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FocusArea, Standing, StandingArea } from '#data/skills.ts';
import { focusChoices, settledText, suggestedAction } from '#domain/focus.ts';
import { actionSchema } from '#features/skills/action-schema.ts';
import { createFocusStore } from '#features/skills/focus-store.ts';
import { factsOf } from '#session/session-facts.ts';
import { $session, beginSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';
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

const lost = { message: 'TypeError: Failed to fetch', code: '' };
const next = { id: 'two', questionKey: null, body: 'More', dueOn: '2026-12-21', remind: true };

/**
 * A database with one area. `failures` are errors of the next requests. For each `lostAnswers`, a
 * request is stored but its response is lost.
 */
function backend(initial = [area()]) {
  let kept = initial;
  const asked: [string, Record<string, unknown>][] = [];
  const failures: unknown[] = [];
  const lostAnswers: true[] = [];
  const settled = vi.fn<(state: string, undo: () => void) => void>();
  const withActions = (change: (actions: FocusArea['actions']) => FocusArea['actions']) => {
    kept = kept.map((each) => ({ ...each, actions: change(each.actions) }));
  };
  const written = (args: Record<string, unknown>) => ({
    body: String(args.p_body),
    due_on: String(args.p_due_on),
    remind: Boolean(args.p_remind),
  });
  const procedures: Record<string, (args: Record<string, unknown>, id: string) => void> = {
    settle_focus_action: (args, id) =>
      withActions((all) =>
        all.map((one) => (one.id === id ? { ...one, state: args.p_state as 'done' } : one)),
      ),
    add_focus_action: (args, id) =>
      withActions((all) =>
        all.some((one) => one.id === id) ? all : [{ ...action(id), ...written(args) }, ...all],
      ),
    change_focus_action: (args, id) =>
      withActions((all) => all.map((one) => (one.id === id ? { ...one, ...written(args) } : one))),
  };
  const rpc = async (name: string, args: Record<string, unknown>) => {
    asked.push([name, args]);
    await Promise.resolve();
    const error = failures.shift();
    if (error) return { data: null, error, status: 0 };
    procedures[name]?.(args, String(args.p_id));
    if (lostAnswers.shift()) return { data: null, error: lost, status: 0 };
    return { data: kept, error: null, status: 200 };
  };
  const store = createFocusStore({ db: async () => dbAnswering({ rpc }), settled }, initial);
  const states = () =>
    store.$areas.get().flatMap(({ actions }) => actions.map(({ state }) => state));
  return { store, asked, failures, lostAnswers, settled, states };
}

beforeEach(() => $toasts.set([]));

describe('An owner who works on an area', () => {
  test('sees a settled action at once, and may undo it', async () => {
    const { store, states, settled } = backend();
    const done = store.settle('one', 'done');
    expect(states()).toEqual(['done']);
    await done;
    settled.mock.calls[0]?.[1]();
    await vi.waitFor(() => expect(states()).toEqual(['open']));
    // An undo can't be undone.
    expect(settled).toHaveBeenCalledOnce();
  });

  test('has the action open again when it could not be stored, and nothing to undo', async () => {
    const { store, states, failures, settled } = backend();
    failures.push(lost);
    await store.settle('one', 'done');
    expect(states()).toEqual(['open']);
    expect(settled).not.toHaveBeenCalled();
  });

  test('sees an area go, and come back when it was refused', async () => {
    const { store, failures } = backend();
    failures.push({ message: 'We can’t find this focus area.', code: 'P0002' });
    const ended = store.end('f');
    expect(store.$areas.get()[0]?.state).toBe('ended');
    await ended;
    expect(store.$areas.get()[0]?.state).toBe('open');
  });

  test('chooses the next action after settling one: it is sent after the step before it', async () => {
    const { store, asked } = backend();
    void store.settle('one', 'done');
    await store.next('f', next);
    expect(asked.map(([name]) => name)).toEqual(['settle_focus_action', 'add_focus_action']);
  });
});

describe('A form whose sending fails', () => {
  test('shows why itself, and sends the same id the next time', async () => {
    const { store, asked, failures } = backend([area({ actions: [] })]);
    failures.push(lost);
    await expect(store.next('f', next)).rejects.toMatchObject({ kind: 'network' });
    await store.next('f', next);
    expect(asked.map(([, args]) => args.p_id)).toEqual(['two', 'two']);
    expect($toasts.get()).toEqual([]);
  });

  test('loses nothing that was typed since, where it had arrived and only its answer was lost', async () => {
    const { store, lostAnswers } = backend([area({ actions: [] })]);
    lostAnswers.push(true);
    await expect(store.next('f', next)).rejects.toMatchObject({ kind: 'network' });
    await store.next('f', { ...next, body: 'More, by Friday', dueOn: '2026-12-18' });
    expect(store.$areas.get()[0]?.actions).toMatchObject([
      { id: 'two', body: 'More, by Friday', due_on: '2026-12-18' },
    ]);
  });

  test('asks the person to sign in again when the session is over', async () => {
    beginSession(factsOf({ user_id: 'maria' }));
    const { store, failures } = backend();
    failures.push({ message: 'Your session has ended.', code: 'PT401', status: 401 });
    const change = store.change('one', { body: 'Do', dueOn: '2026-12-21', remind: true });
    await expect(change).rejects.toMatchObject({ kind: 'signed-out' });
    expect($session.get().state).toBe('ended');
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
    left_out: false,
    recommended: null,
    practice: null,
    tool: null,
    ...each,
  })),
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

  const range = 'Choose a date within the next year.';
  test.each([
    [{}, undefined],
    [{ body: '   ' }, 'Say what you’ll do.'],
    [{ body: 'x'.repeat(601) }, 'Keep it to 600 characters.'],
    [{ dueOn: '' }, 'Choose a date.'],
    [{ dueOn: '2026-11-20' }, range],
    [{ dueOn: '2028-01-01' }, range],
  ])('Words and a day from today on: %j', (input, problem) => {
    expect(said(input)).toBe(problem);
  });

  test('A day that has passed may stay', () => {
    expect(said({ dueOn: '2026-11-01' }, '2026-11-01')).toBeUndefined();
  });
});
