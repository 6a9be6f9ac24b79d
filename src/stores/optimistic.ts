/**
 * Optimistic updates: the page shows changes at once and sends them one after another. A rejected
 * change is reverted with a toast, and the changes before and after it stay.
 */
import { atom, computed } from 'nanostores';
import { reportError } from './session.ts';
import { addFailureToast } from './toasts.ts';

interface OptimisticOptions<State, Change> {
  /** Returns the state with a change applied. */
  apply: (state: State, change: Change) => State;
  /** Stores a change. Resolves to the stored state, if the server sends it back. */
  send: (change: Change) => Promise<State> | Promise<void>;
  /** The toast's title for a rejected change; it also shows the reason and a button to retry. */
  failure: string;
}

/** Creates the store from the state that came with the page. */
export function createOptimistic<State, Change>(
  initial: State,
  { apply, send, failure }: OptimisticOptions<State, Change>,
) {
  const $stored = atom(initial);
  const $pending = atom<readonly { change: Change }[]>([]);
  /** The stored state with the pending changes applied. */
  const $shown = computed([$stored, $pending], (stored, pending) =>
    pending.reduce((state, { change }) => apply(state, change), stored as State),
  );
  let last: Promise<unknown> = Promise.resolve();

  async function store(entry: { change: Change }): Promise<boolean> {
    const { change } = entry;
    try {
      $stored.set((await send(change)) || apply($stored.get(), change));
      return true;
    } catch (thrown) {
      addFailureToast(failure, reportError(thrown), () => void put(change));
      return false;
    } finally {
      $pending.set($pending.get().filter((each) => each !== entry));
    }
  }

  /** Makes a change. Resolves to whether it was stored; never rejects. */
  function put(change: Change): Promise<boolean> {
    const entry = { change };
    $pending.set([...$pending.get(), entry]);
    const stored = last.then(() => store(entry));
    last = stored;
    return stored;
  }

  /** Waits for pending changes, then sets the state that `work` returns. Rethrows its errors. */
  async function replace(work: (stored: () => State) => Promise<State>): Promise<void> {
    await last;
    $stored.set(await work(() => $stored.get()));
  }

  return { $shown, $pending, put, replace };
}
