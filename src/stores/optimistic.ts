/**
 * Changes that the page shows at once, and that are sent one after another: what is refused is taken
 * back with a notice, and what was changed before or after it stays.
 */
import { atom, computed } from 'nanostores';
import { reportError } from './session.ts';
import { addFailureToast } from './toasts.ts';

interface OptimisticOptions<State, Change> {
  /** The state once a change is stored. */
  apply: (state: State, change: Change) => State;
  /** Stores a change. Gives what is stored now, where the server says it. */
  send: (change: Change) => Promise<State> | Promise<void>;
  /** What the person is told when a change was refused, with its reason and a button to retry. */
  failure: string;
}

/** Makes the store of what the page came with. */
export function createOptimistic<State, Change>(
  initial: State,
  { apply, send, failure }: OptimisticOptions<State, Change>,
) {
  const $stored = atom(initial);
  const $pending = atom<readonly { change: Change }[]>([]);
  /** What is stored, with the changes that are under way. */
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

  /** Makes a change. Resolves once it is answered, with whether it is stored; never rejects. */
  function put(change: Change): Promise<boolean> {
    const entry = { change };
    $pending.set([...$pending.get(), entry]);
    const stored = last.then(() => store(entry));
    last = stored;
    return stored;
  }

  /** Waits for the changes under way, then takes what the work makes of what is stored. Throws what it throws. */
  async function replace(work: (stored: () => State) => Promise<State>): Promise<void> {
    await last;
    $stored.set(await work(() => $stored.get()));
  }

  return { $shown, $pending, put, replace };
}
