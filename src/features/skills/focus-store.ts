/** The areas an owner is working on: stored ones, and changes that are being sent. */
import {
  type ActionInput,
  createFocusAction,
  endFocusArea,
  type FocusAction,
  type FocusArea,
  type NewAction,
  saveFocusAction,
  settleFocusAction,
} from '#data/skills.ts';
import type { Db } from '#lib/supabase.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { reportError } from '#stores/session.ts';

/** A change that's shown optimistically while it's being sent. */
type Step =
  | { kind: 'settle'; id: string; state: FocusAction['state'] }
  | { kind: 'end'; id: string };

interface FocusDeps {
  db: () => Promise<Db>;
  /** Called when an action is done or dropped; `undo` reopens it. */
  settled: (state: 'done' | 'dropped', undo: () => void) => void;
}

export type FocusStore = ReturnType<typeof createFocusStore>;

/** Creates the store of one page. */
export function createFocusStore({ db, settled }: FocusDeps, initial: readonly FocusArea[]) {
  const { $shown, put, replace } = createOptimistic<readonly FocusArea[], Step>(initial, {
    apply: withStep,
    send: async (step) => sendStep(await db(), step),
    failure: 'Your change wasn’t saved',
  });

  /** Sets the state of an action. The change is optimistic, and rolled back if it fails. */
  async function settle(id: string, state: FocusAction['state']): Promise<void> {
    const isStored = await put({ kind: 'settle', id, state });
    if (state !== 'open' && isStored) settled(state, () => void settle(id, 'open'));
  }

  /** Sends a form's input after the pending changes. Throws an AppError. */
  const submit = (work: (db: Db) => Promise<FocusArea[]>): Promise<void> =>
    replace(async () => work(await db())).catch((thrown) => {
      throw reportError(thrown);
    });

  return {
    $areas: $shown,
    settle,
    /** Stops working on an area. */
    end: (id: string) => put({ kind: 'end', id }),
    /** Adds the next action of an area. */
    next: (areaId: string, action: NewAction) =>
      submit((db) => createFocusAction(db, areaId, action)),
    /** Changes the open action. */
    change: (id: string, input: ActionInput) => submit((db) => saveFocusAction(db, id, input)),
  };
}

const sendStep = (db: Db, step: Step): Promise<FocusArea[]> =>
  step.kind === 'end' ? endFocusArea(db, step.id) : settleFocusAction(db, step.id, step.state);

/** The areas as they'll be once the change is saved. */
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
