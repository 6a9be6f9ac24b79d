/**
 * What is not sent yet: answers, and later messages and drafts.
 *
 * An entry is written to the browser's storage before anything is sent, so that a closed tab, a
 * lost connection or an expired session loses nothing. Each version of an entry has its own storage
 * key, which ends in a stamp that sorts by age: two tabs never overwrite one another, the newest
 * version of a key wins wherever it was written, and removing what was sent can never remove
 * something newer. One tab sends at a time (Web Locks; without them two tabs may send the same
 * entry twice, which is harmless because what is sent is idempotent).
 *
 * Entries belong to a person. Nobody else who signs in on this browser sees or sends them.
 */
import { atom, type ReadableAtom } from 'nanostores';

export type OutboxEntry = {
  /** What it is, and with it who sends it: `answer`. */
  kind: string;
  /** What it is about; a newer entry with the same kind and key replaces it. */
  key: string;
  body: unknown;
  /** When it was put, in milliseconds since 1970. */
  at: number;
  /** Why it will never be accepted as it is: a sentence for a person. It is not sent again. */
  refused?: string;
};

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
  /** Sends them, oldest first. Throws what `classify` understands. */
  send(entries: OutboxEntry[]): Promise<void>;
};

/** `later`: try again. `signed-out`: wait for the person. Anything else: refused for good. */
export type OutboxFailure = 'later' | 'signed-out' | { refused: string };

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

/** What the outbox needs of a browser; tests bring their own. */
export type OutboxEnvironment = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> | null;
  /** Runs the task when no other tab does; undefined where a browser has no locks. */
  exclusively?<T>(name: string, task: () => Promise<T>): Promise<T>;
  now(): number;
  setTimeout(task: () => void, milliseconds: number): () => void;
  /** Calls back when the connection returns, the tab is shown, or another tab changed storage. */
  onWake(wake: (reason: 'connection' | 'shown' | 'storage') => void): () => void;
  /** Different in every tab. */
  tab: string;
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

const PREFIX = 'trellis-outbox';
/** Seconds between attempts; the last one repeats. */
const BACKOFF = [1, 2, 5, 10, 30, 60] as const;

type Stored = { storageKey: string; entry: OutboxEntry };

export function createOutbox(options: OutboxOptions): Outbox {
  const { owner, senders, classify, signedInAs } = options;
  const env = options.environment ?? browserEnvironment();
  const prefix = `${PREFIX}:${owner}:`;
  const memory = new Map<string, string>();
  const $state = atom<OutboxState>({ name: 'empty' });
  const $entries = atom<readonly OutboxEntry[]>([]);
  let lastStamp = 0;
  let failures = 0;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;
  let cancelTimer = () => {};

  function put(kind: string, key: string, body: unknown): 'kept' | 'this-tab' {
    const older = stored().filter(({ entry }) => entry.kind === kind && entry.key === key);
    const at = env.now();
    lastStamp = Math.max(at, lastStamp + 1, newestStamp() + 1);
    const storageKey = [
      `${prefix}${kind}`,
      encodeURIComponent(key),
      `${String(lastStamp).padStart(15, '0')}-${env.tab}`,
    ].join(':');
    const text = JSON.stringify({ kind, key, body, at } satisfies OutboxEntry);
    let kept = write(storageKey, text);
    older.forEach(remove);
    // A full storage may have room again, now that the older version is gone.
    kept ||= older.length > 0 && write(storageKey, text);
    refresh();
    flush();
    return kept ? 'kept' : 'this-tab';
  }

  /** Writes to storage, else to memory; says whether it was storage. */
  function write(storageKey: string, text: string): boolean {
    try {
      if (!env.storage) throw new Error('This browser keeps nothing');
      env.storage.setItem(storageKey, text);
      memory.delete(storageKey);
      return true;
    } catch {
      memory.set(storageKey, text);
      return false;
    }
  }

  function drop(kind: string, key: string) {
    for (const each of stored()) {
      if (each.entry.kind === kind && each.entry.key === key) remove(each);
    }
    refresh();
  }

  function remove({ storageKey }: Stored) {
    memory.delete(storageKey);
    try {
      env.storage?.removeItem(storageKey);
    } catch {
      // Storage that refuses to forget holds an entry that is idempotent: sent again, no harm.
    }
  }

  /** Everything that is kept, older versions too, oldest first. */
  function stored(): Stored[] {
    const texts = new Map(memory);
    try {
      for (let i = 0; i < (env.storage?.length ?? 0); i++) {
        const storageKey = env.storage?.key(i);
        if (!storageKey?.startsWith(prefix)) continue;
        const text = env.storage?.getItem(storageKey);
        if (text) texts.set(storageKey, text);
      }
    } catch {
      // Denied storage: what this tab remembers is all there is.
    }
    return [...texts]
      .flatMap(([storageKey, text]) => {
        const entry = parseEntry(text);
        return entry ? [{ storageKey, entry }] : [];
      })
      .toSorted((a, b) => (stampOf(a) < stampOf(b) ? -1 : 1));
  }

  /** The newest version of each key. Older ones, left by two tabs at once, are removed. */
  function newest(): Stored[] {
    const byKey = new Map<string, Stored>();
    for (const each of stored()) {
      const name = `${each.entry.kind}:${each.entry.key}`;
      const older = byKey.get(name);
      if (older) remove(older);
      byKey.delete(name);
      byKey.set(name, each);
    }
    return [...byKey.values()];
  }

  function newestStamp(): number {
    return Number(stored().at(-1)?.storageKey.split(':').at(-1)?.split('-')[0] ?? 0);
  }

  function refresh() {
    const entries = newest().map(({ entry }) => entry);
    if (JSON.stringify(entries) !== JSON.stringify($entries.get())) $entries.set(entries);
    if (!entries.some((entry) => !entry.refused) && !running) $state.set({ name: 'empty' });
  }

  function sendable(): Stored[] {
    return newest().filter(({ entry }) => !entry.refused && senders[entry.kind]);
  }

  function flush() {
    if (closed) return;
    cancelTimer();
    if (running) {
      again = true;
      return;
    }
    if (sendable().length === 0) return;
    // Trying again is not news: who waits for the connection waits until something arrived.
    if ($state.get().name === 'empty') $state.set({ name: 'sending' });
    const exclusively = env.exclusively ?? ((_name, task) => task());
    running = exclusively(`${PREFIX}:${owner}`, sendAll)
      .catch(() => scheduleRetry())
      .finally(() => {
        running = null;
        refresh();
        if (again) {
          again = false;
          flush();
        }
      });
  }

  async function sendAll() {
    for (let due = sendable(); due.length > 0 && !closed; due = sendable()) {
      if ((await signedInAs()) !== owner) {
        $state.set({ name: 'signed-out' });
        return;
      }
      const failure = await sendFirst(due);
      if (failure === 'signed-out') {
        $state.set({ name: 'signed-out' });
        return;
      }
      if (failure === 'later') {
        scheduleRetry();
        return;
      }
      failures = 0;
      $state.set({ name: 'sending' });
      refresh();
    }
  }

  /** Sends the first run of entries of one kind; alone when the run as a whole is refused. */
  async function sendFirst(due: Stored[]): Promise<'sent' | 'later' | 'signed-out'> {
    const kind = due[0]?.entry.kind ?? '';
    const sender = senders[kind];
    if (!sender) return 'sent';
    const other = due.findIndex(({ entry }) => entry.kind !== kind);
    const run = due.slice(0, Math.min(sender.batch, other < 0 ? due.length : other));
    const failure = await attempt(sender, run);
    if (failure === 'sent') {
      run.forEach(remove);
      return 'sent';
    }
    if (typeof failure === 'string') return failure;
    for (const each of run) {
      const alone = run.length === 1 ? failure : await attempt(sender, [each]);
      if (alone === 'later' || alone === 'signed-out') return alone;
      if (alone !== 'sent') refuse(each, alone.refused);
      else remove(each);
    }
    return 'sent';
  }

  async function attempt(sender: OutboxSender, run: Stored[]): Promise<'sent' | OutboxFailure> {
    try {
      await sender.send(run.map(({ entry }) => entry));
      return 'sent';
    } catch (error) {
      return classify(error);
    }
  }

  /** Marks it in place, unless a newer version was put while it was on its way. */
  function refuse(each: Stored, sentence: string) {
    const text = JSON.stringify({ ...each.entry, refused: sentence });
    if (!newest().some(({ storageKey }) => storageKey === each.storageKey)) return;
    if (memory.has(each.storageKey)) memory.set(each.storageKey, text);
    else if (!write(each.storageKey, text)) {
      // No room for the mark: it is kept here, or the entry would be sent for ever.
      remove(each);
      memory.set(each.storageKey, text);
    }
  }

  function scheduleRetry() {
    const seconds = BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 60;
    failures += 1;
    $state.set({ name: 'waiting', retryAt: env.now() + seconds * 1000 });
    cancelTimer();
    cancelTimer = env.setTimeout(flush, seconds * 1000);
  }

  const stopWaking = env.onWake((reason) => {
    refresh();
    // Another tab that writes also sends; should it be closed meanwhile, this one goes on.
    if (reason !== 'storage') failures = 0;
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

/** Ends in the moment it was put and the tab, so that it sorts by age. */
function stampOf({ storageKey }: Stored): string {
  return storageKey.slice(storageKey.lastIndexOf(':') + 1);
}

function parseEntry(text: string): OutboxEntry | null {
  try {
    const entry = JSON.parse(text);
    return typeof entry?.kind === 'string' && typeof entry?.key === 'string' ? entry : null;
  } catch {
    return null;
  }
}

/** The browser itself: its storage, locks, clock and events. */
export function browserEnvironment(): OutboxEnvironment {
  return {
    storage: allowedStorage(),
    ...(navigator.locks && {
      exclusively: <T>(name: string, task: () => Promise<T>) =>
        navigator.locks.request(name, task) as Promise<T>,
    }),
    now: Date.now,
    setTimeout(task, milliseconds) {
      const timer = setTimeout(task, milliseconds);
      return () => clearTimeout(timer);
    },
    onWake(wake) {
      const online = () => wake('connection');
      const shown = () => document.visibilityState === 'visible' && wake('shown');
      // Two windows side by side are both visible: coming back to one of them counts as well.
      let away = false;
      const left = () => {
        away = true;
      };
      const entered = () => {
        if (away) wake('shown');
        away = false;
      };
      const changed = (event: StorageEvent) => {
        if (event.key === null || event.key.startsWith(PREFIX)) wake('storage');
      };
      addEventListener('online', online);
      document.addEventListener('visibilitychange', shown);
      addEventListener('storage', changed);
      addEventListener('blur', left);
      addEventListener('focus', entered);
      return () => {
        removeEventListener('online', online);
        document.removeEventListener('visibilitychange', shown);
        removeEventListener('storage', changed);
        removeEventListener('blur', left);
        removeEventListener('focus', entered);
      };
    },
    // Not a secret: it only keeps two tabs of one browser apart. randomUUID needs a secure page.
    tab: Math.random().toString(36).slice(2, 10),
  };
}

function allowedStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
