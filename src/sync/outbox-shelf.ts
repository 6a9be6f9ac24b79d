/**
 * Where the outbox keeps its entries: the browser's storage, or this tab's memory where that is full
 * or denied. Each version of an entry has a storage key of its own, which ends in a stamp that sorts
 * by age: two tabs never overwrite one another, the newest version of a key wins wherever it was
 * written, and removing what was sent can never remove something newer.
 */
import { type OutboxEnvironment, PREFIX } from './outbox-environment.ts';

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

/** An entry with the place it is kept in. */
export type Kept = { storageKey: string; entry: OutboxEntry };

export type Shelf = {
  /** Keeps an entry in the place of its older versions; says whether storage took it. */
  put(kind: string, key: string, body: unknown): boolean;
  /** The newest version of each key, oldest first. Older ones, left by two tabs at once, go. */
  newest(): Kept[];
  remove(kept: Kept): void;
  /** Forgets every version of an entry. */
  drop(kind: string, key: string): void;
  /** Marks an entry as refused, in place, unless a newer version of it was put meanwhile. */
  refuse(kept: Kept, sentence: string): void;
};

/** The shelf of one person in this browser. */
export function createShelf(owner: string, env: OutboxEnvironment): Shelf {
  const prefix = `${PREFIX}:${owner}:`;
  const memory = new Map<string, string>();
  let lastStamp = 0;

  function put(kind: string, key: string, body: unknown): boolean {
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
    return kept;
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
  }

  function remove({ storageKey }: Kept) {
    memory.delete(storageKey);
    try {
      env.storage?.removeItem(storageKey);
    } catch {
      // Storage that refuses to forget holds an entry that is idempotent: sent again, no harm.
    }
  }

  /** Everything that is kept, older versions too, oldest first. */
  function stored(): Kept[] {
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

  function newest(): Kept[] {
    const byKey = new Map<string, Kept>();
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

  function refuse(each: Kept, sentence: string) {
    const text = JSON.stringify({ ...each.entry, refused: sentence });
    if (!newest().some(({ storageKey }) => storageKey === each.storageKey)) return;
    if (memory.has(each.storageKey)) memory.set(each.storageKey, text);
    else if (!write(each.storageKey, text)) {
      // No room for the mark: it is kept here, or the entry would be sent for ever.
      remove(each);
      memory.set(each.storageKey, text);
    }
  }

  return { put, newest, remove, drop, refuse };
}

/** Ends in the moment it was put and the tab, so that it sorts by age. */
function stampOf({ storageKey }: Kept): string {
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
