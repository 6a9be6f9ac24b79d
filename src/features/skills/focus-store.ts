/** The areas that an owner works on: what is stored, and what is being sent. */
import { atom, computed } from 'nanostores';
import {
  type ActionInput,
  createFocusAction,
  createFocusArea,
  endFocusArea,
  type FocusAction,
  type FocusArea,
  type NewAction,
  saveFocusAction,
  settleFocusAction,
} from '#data/skills.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';

/** A step that was pressed and isn't answered yet. */
type Step =
  | { kind: 'settle'; id: string; state: FocusAction['state'] }
  | { kind: 'end'; id: string };

interface FocusDeps {
  db: () => Promise<Db>;
  /** The session is over: the person is asked to sign in again in place. */
  signedOut: () => void;
  /** Tells the person that a step did not happen; `retry` tries it once more. */
  failed: (error: AppError, retry: () => void) => void;
  /** Tells that an action is settled; `undo` opens it again. */
  settled: (state: 'done' | 'dropped', undo: () => void) => void;
}

export type FocusStore = ReturnType<typeof createFocusStore>;

/** Makes the store of one page. */
export function createFocusStore(deps: FocusDeps, initial: FocusArea[]) {
  const $stored = atom<readonly FocusArea[]>(initial);
  const $steps = atom<readonly Step[]>([]);
  /** What the page shows: what is stored, with the steps that are under way. */
  const $areas = computed([$stored, $steps], (stored, steps) => steps.reduce(withStep, stored));
  const reportError = createErrorReporter(deps);
  // One after another: an answer then never lacks a step that was taken before it.
  let last: Promise<void> = Promise.resolve();

  async function send(step: Step): Promise<void> {
    try {
      $stored.set(await sendStep(await deps.db(), step));
    } catch (thrown) {
      deps.failed(reportError(thrown), () => void take(step));
    } finally {
      $steps.set($steps.get().filter((each) => each !== step));
    }
  }

  function take(step: Step): Promise<void> {
    const taken = { ...step };
    $steps.set([...$steps.get(), taken]);
    last = last.then(() => send(taken));
    return last;
  }

  /** Marks an action: at once on the page, undone if it's refused. */
  async function settle(id: string, state: FocusAction['state']): Promise<void> {
    await take({ kind: 'settle', id, state });
    const now = $areas.get().flatMap(({ actions }) => actions);
    const isStored = now.find((each) => each.id === id)?.state === state;
    if (state !== 'open' && isStored) deps.settled(state, () => void settle(id, 'open'));
  }

  /** Stops working on an area. */
  const end = (id: string): Promise<void> => take({ kind: 'end', id });

  /** Sends what a form has after the steps before it. Throws an AppError. */
  async function submit(work: (db: Db) => Promise<FocusArea[]>): Promise<void> {
    await last;
    try {
      $stored.set(await work(await deps.db()));
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  return { $areas, settle, end, ...formActions(submit) };
}

/** What the forms of the page send. */
const formActions = (submit: (work: (db: Db) => Promise<FocusArea[]>) => Promise<void>) => ({
  /** Chooses an area of a result with its first action. */
  choose: (area: { id: string; attemptId: string; areaKey: string }, action: NewAction) =>
    submit((db) => createFocusArea(db, area, action)),
  /** Adds the next action of an area. */
  next: (areaId: string, action: NewAction) =>
    submit((db) => createFocusAction(db, areaId, action)),
  /** Changes the open action. */
  change: (id: string, input: ActionInput) => submit((db) => saveFocusAction(db, id, input)),
});

const sendStep = (db: Db, step: Step): Promise<FocusArea[]> =>
  step.kind === 'end' ? endFocusArea(db, step.id) : settleFocusAction(db, step.id, step.state);

/** The areas as they will be once a step is answered. */
function withStep(areas: readonly FocusArea[], step: Step): readonly FocusArea[] {
  if (step.kind === 'end') {
    return areas.map((area) => (area.id === step.id ? { ...area, state: 'ended' as const } : area));
  }
  return areas.map((area) => ({
    ...area,
    actions: area.actions.map((action) =>
      action.id === step.id ? { ...action, state: step.state } : action,
    ),
  }));
}
