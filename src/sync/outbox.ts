/**
 * What is not sent yet: answers, messages and drafts, what was typed into a business or its plan.
 *
 * An entry is written to the browser's storage before anything is sent, so that a closed tab, a
 * lost connection or an expired session loses nothing. One tab sends at a time (Web Locks; without
 * them two tabs may send the same entry twice, which is harmless because what is sent is idempotent).
 * A request that is not answered in time gives the lock back, and its kind waits by itself.
 *
 * Entries belong to a person. Nobody else who signs in on this browser sees or sends them.
 */
import { atom, type ReadableAtom } from 'nanostores';
import { ANSWER_WITHIN_MS } from '../lib/answer-within.ts';
import { browserEnvironment, type OutboxEnvironment, PREFIX } from './outbox-environment.ts';
import { createShelf, type Kept, type OutboxEntry } from './outbox-shelf.ts';

export type OutboxState =
  | { name: 'empty' }
  | { name: 'sending' }
  /** The last try failed. Tried again by itself at `retryAt`, when the connection is back, or when the tab is shown. */
  | { name: 'waiting'; retryAt: number }
  /** Nobody, or somebody else, is signed in: waits for the owner of the entries. */
  | { name: 'signed-out' };

export type OutboxSender = {
  /** How many entries of this kind may be sent at once. */
  batch: number;
  /** How long an entry lies before it is sent, in milliseconds: what is still being typed. */
  rest?: number;
  /** Whether an entry goes only after another one has arrived; where that is refused, not at all. */
  follows?(mine: OutboxEntry, other: OutboxEntry): boolean;
  /** Sends them, oldest first. Throws what `classify` understands. What is sent twice counts once. */
  send(entries: OutboxEntry[]): Promise<void>;
};

/**
 * `later`: try again. `kindWaits`: the same for this kind alone, and not before so many milliseconds;
 * what else waits goes on. `signed-out`: wait for the person. `refused`: for good.
 */
export type OutboxFailure = 'later' | 'signed-out' | { kindWaits: number } | { refused: string };

/** What became of an attempt. */
type Outcome = 'sent' | 'unanswered' | OutboxFailure;

export type OutboxOptions = {
  /** The person's id. */
  owner: string;
  senders: Record<string, OutboxSender>;
  /** What an error of a sender means. */
  classify(error: unknown): OutboxFailure;
  /** Who is signed in right now, or null; asked before each sending. */
  signedInAs(): Promise<string | null>;
  environment?: OutboxEnvironment;
};

export type Outbox = {
  $state: ReadableAtom<OutboxState>;
  /** The newest version of every entry that is not sent, oldest first. */
  $entries: ReadableAtom<readonly OutboxEntry[]>;
  /**
   * Keeps an entry at once, then sends it.
   * @returns `kept`, or `this-tab` when the browser's storage is full or denied: then it lives
   * until this tab is closed
   */
  put(kind: string, key: string, body: unknown): 'kept' | 'this-tab';
  /** Forgets an entry that is not sent, for example one that was refused. */
  drop(kind: string, key: string): void;
  /** Tries now; call it when the person has signed in again. */
  flush(): void;
  /** Resolves when nothing is left that could still be sent (refused entries do not count). */
  settled(): Promise<void>;
  close(): void;
};

/** Seconds between attempts; the last one repeats. */
const BACKOFF = [1, 2, 5, 10, 30, 60] as const;

/** Milliseconds before the next attempt, after so many that failed. */
const backoff = (failures: number) =>
  (BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 60) * 1000;

/** Nobody has answered in time: it may have arrived, or not. */
class Unanswered extends Error {}

/** The longest that a kind waits, in milliseconds: a limit may have been raised meanwhile. */
const LONGEST_WAIT = 600_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { owner, senders, classify, signedInAs } = options;
  const env = options.environment ?? browserEnvironment();
  const shelf = createShelf(owner, env);
  const $state = atom<OutboxState>({ name: 'empty' });
  const $entries = atom<readonly OutboxEntry[]>([]);
  /** When each kind that was refused for a while may be sent again. */
  const waits = new Map<string, number>();
  /** How often in a row a kind was not answered. */
  const silences = new Map<string, number>();
  let failures = 0;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;
  let cancelTimer = () => {};
  let cancelSlow = () => {};

  function put(kind: string, key: string, body: unknown): 'kept' | 'this-tab' {
    const kept = shelf.put(kind, key, body);
    refresh();
    flush();
    return kept ? 'kept' : 'this-tab';
  }

  function drop(kind: string, key: string) {
    shelf.drop(kind, key);
    refresh();
  }

  function refresh() {
    const entries = shelf.newest().map(({ entry }) => entry);
    if (JSON.stringify(entries) !== JSON.stringify($entries.get())) $entries.set(entries);
    if (!running && sendable().length === 0) $state.set({ name: 'empty' });
  }

  /** What may go out now, oldest first; `resting` gives what may not yet. */
  function sendable(resting = false): Kept[] {
    const all = shelf.newest();
    return all.filter(({ entry }) => {
      const sender = senders[entry.kind];
      if (entry.refused || !sender || rests(entry) > 0 !== resting) return false;
      return !all.some((other) => sender.follows?.(entry, other.entry));
    });
  }

  /** Milliseconds that an entry still lies; 0 or less when it may go. */
  const rests = ({ kind, at }: OutboxEntry) => {
    const rest = senders[kind]?.rest ?? 0;
    const left = at + rest - env.now();
    // A clock that was set back must not keep it for ever.
    return left > rest ? 0 : left;
  };

  function flush() {
    if (closed) return;
    if (running) {
      again = true;
      return;
    }
    cancelTimer();
    if (sendable().length === 0) {
      // Another outbox of this tab may have sent it: storage tells only the other tabs.
      refresh();
      waitForRest();
      return;
    }
    // Trying again is not news: who waits for the connection waits until something arrived.
    if ($state.get().name === 'empty') $state.set({ name: 'sending' });
    const exclusively = env.exclusively ?? ((_name, task) => task());
    // Another tab may be waiting for an answer, and this one for that tab.
    cancelSlow = env.setTimeout(
      () => $state.set({ name: 'waiting', retryAt: env.now() }),
      ANSWER_WITHIN_MS,
    );
    running = exclusively(`${PREFIX}:${owner}`, sendAll)
      .catch(() => scheduleRetry())
      .finally(() => {
        cancelSlow();
        running = null;
        refresh();
        if (again) {
          again = false;
          flush();
        } else if (!closed && $state.get().name === 'empty') waitForRest();
      });
  }

  function waitForRest() {
    const next = Math.min(...sendable(true).map(({ entry }) => rests(entry)));
    if (next < Number.POSITIVE_INFINITY) cancelTimer = env.setTimeout(flush, next);
  }

  /** Milliseconds until a kind may be sent; 0 when it may be sent now. */
  const waitOf = (kind: string) => {
    const left = (waits.get(kind) ?? 0) - env.now();
    // A clock that was set back must not keep it forever.
    return left > LONGEST_WAIT ? 0 : Math.max(left, 0);
  };

  async function sendAll() {
    const held = new Set([...waits.keys()].filter((kind) => waitOf(kind) > 0));
    const silenceOf = ({ entry }: Kept) => silences.get(entry.kind) ?? 0;
    // What was not answered comes last: it may take the whole time again.
    const due = () =>
      sendable()
        .filter(({ entry }) => !held.has(entry.kind))
        .toSorted((a, b) => silenceOf(a) - silenceOf(b));
    for (let now = due(); now.length > 0 && !closed; now = due()) {
      if ((await answered(signedInAs())) !== owner) {
        $state.set({ name: 'signed-out' });
        return;
      }
      const failure = await sendFirst(now);
      if (failure === 'signed-out') {
        $state.set({ name: 'signed-out' });
        return;
      }
      if (failure === 'later') {
        scheduleRetry();
        return;
      }
      const kind = now[0]?.entry.kind ?? '';
      if (failure === 'unanswered') {
        const before = silences.get(kind) ?? 0;
        silences.set(kind, before + 1);
        waits.set(kind, env.now() + backoff(before));
        $state.set({ name: 'waiting', retryAt: env.now() + backoff(before) });
        // Another tab has its turn, then what else waits here.
        again = true;
        return;
      }
      if (failure !== 'sent') {
        waits.set(kind, env.now() + Math.min(failure.kindWaits, LONGEST_WAIT));
        held.add(kind);
        continue;
      }
      failures = 0;
      cancelSlow();
      silences.delete(kind);
      $state.set({ name: 'sending' });
      refresh();
    }
    const left = sendable().map(({ entry }) => waitOf(entry.kind));
    if (left.length > 0) scheduleRetry(Math.min(...left));
  }

  /** Sends the first run of entries of one kind; alone when the run as a whole is refused. */
  async function sendFirst(due: Kept[]): Promise<Exclude<Outcome, { refused: string }>> {
    const kind = due[0]?.entry.kind ?? '';
    const sender = senders[kind];
    if (!sender) return 'sent';
    const other = due.findIndex(({ entry }) => entry.kind !== kind);
    const run = due.slice(0, Math.min(sender.batch, other < 0 ? due.length : other));
    const failure = await attempt(sender, run);
    if (failure === 'sent') {
      run.forEach(shelf.remove);
      return 'sent';
    }
    if (typeof failure === 'string' || 'kindWaits' in failure) return failure;
    for (const each of run) {
      const alone = run.length === 1 ? failure : await attempt(sender, [each]);
      if (alone === 'sent') shelf.remove(each);
      else if (typeof alone === 'string' || 'kindWaits' in alone) return alone;
      else shelf.refuse(each, alone.refused);
    }
    return 'sent';
  }

  async function attempt(sender: OutboxSender, run: Kept[]): Promise<Outcome> {
    try {
      await answered(sender.send(run.map(({ entry }) => entry)));
      return 'sent';
    } catch (error) {
      return error instanceof Unanswered ? 'unanswered' : classify(error);
    }
  }

  /** Waits for an answer, but not forever: the lock is held meanwhile. Throws Unanswered. */
  function answered<T>(answer: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancel = env.setTimeout(() => reject(new Unanswered()), ANSWER_WITHIN_MS);
    return Promise.race([answer, late]).finally(cancel);
  }

  /** @param named milliseconds that the server said to wait */
  function scheduleRetry(named = 0) {
    const wait = named || backoff(failures);
    if (named === 0) failures += 1;
    $state.set({ name: 'waiting', retryAt: env.now() + wait });
    cancelTimer();
    cancelTimer = env.setTimeout(flush, wait);
  }

  const stopWaking = env.onWake((reason) => {
    refresh();
    // Another tab that writes also sends; should it be closed meanwhile, this one goes on.
    if (reason !== 'storage') {
      failures = 0;
      for (const kind of silences.keys()) waits.delete(kind);
      silences.clear();
    }
    flush();
  });

  function settled(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (closed || (!running && sendable().length === 0)) {
          stopState();
          stopEntries();
          resolve();
        }
      };
      let stopState = () => {};
      let stopEntries = () => {};
      stopState = $state.listen(look);
      stopEntries = $entries.listen(look);
      look();
    });
  }

  function close() {
    closed = true;
    cancelTimer();
    stopWaking();
  }

  refresh();
  flush();
  return { $state, $entries, put, drop, flush, settled, close };
}
