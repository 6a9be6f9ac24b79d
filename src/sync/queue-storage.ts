/**
 * Stores the queue's entries in local storage, or in this tab's memory if storage is full or
 * denied. Each version of an entry has its own storage key, ending in a stamp that sorts by age. So
 * tabs never overwrite each other, the newest version of a key wins whichever tab wrote it, and
 * removing what was sent never removes a newer version.
 */
import { QUEUE_PREFIX } from '#lib/browser/unsent-here.ts';
import type { SyncEnvironment } from './environment.ts';

/** Describes an entry for the offline page, which can't load anything else. */
export interface EntryText {
  /** A description, such as `A task: “Measure the door”`. */
  text?: string;
  /** The noun after the number of entries with the same text: `quiz answers`. */
  plural?: string;
}

export interface Entry extends EntryText {
  /** The storage key of this version. */
  id: string;
  /** The kind, which decides who sends it: `answer`. */
  kind: string;
  /** What it's about. A newer entry with the same kind and key replaces it. */
  key: string;
  value: unknown;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** Why the server will never accept it as is, as a message for a person. It isn't sent again. */
  refused?: string;
  /** The browser wouldn't store it, so it's lost when this tab closes. */
  memoryOnly?: true;
}

/** An entry as it's stored. */
type Written = Omit<Entry, 'id' | 'value' | 'memoryOnly'> & { body: unknown };

/** The entries of one person in this browser. */
export class QueueStorage {
  readonly #env: SyncEnvironment;
  readonly #prefix: string;
  readonly #memory = new Map<string, string>();
  #lastStamp = 0;

  constructor(owner: string, env: SyncEnvironment) {
    this.#env = env;
    this.#prefix = `${QUEUE_PREFIX}:${owner}:`;
  }

  /** Stores an entry, replacing its older versions. */
  put(
    kind: string,
    key: string,
    value: unknown,
    rest: EntryText & Pick<Entry, 'refused'> = {},
  ): void {
    const all = this.#stored();
    const older = all.filter((entry) => entry.kind === kind && entry.key === key);
    const at = this.#env.now();
    const newest = Number(stampOf(all.at(-1)?.id ?? '').split('-')[0]);
    this.#lastStamp = Math.max(at, this.#lastStamp + 1, newest + 1);
    const stamp = `${String(this.#lastStamp).padStart(15, '0')}-${this.#env.tab}`;
    const id = `${this.#prefix}${kind}:${encodeURIComponent(key)}:${stamp}`;
    const text = JSON.stringify({ kind, key, body: value, at, ...rest } satisfies Written);
    const kept = this.#write(id, text);
    for (const each of older) this.remove(each);
    // Removing the older version may have freed up space.
    if (!kept && older.length > 0) this.#write(id, text);
  }

  /** The newest version of each key, oldest first. Deletes older ones that two tabs left behind. */
  newest(): Entry[] {
    const byName = new Map<string, Entry>();
    for (const entry of this.#stored()) {
      const name = `${entry.kind}:${entry.key}`;
      const older = byName.get(name);
      if (older) this.remove(older);
      byName.delete(name);
      byName.set(name, entry);
    }
    return [...byName.values()];
  }

  remove({ id }: Pick<Entry, 'id'>): void {
    this.#memory.delete(id);
    try {
      this.#env.storage?.removeItem(id);
    } catch {
      // An entry that storage won't delete is resent, which is harmless: sends are idempotent.
    }
  }

  /** Deletes every version of an entry. */
  discard(kind: string, key: string): void {
    for (const entry of this.#stored()) {
      if (entry.kind === kind && entry.key === key) this.remove(entry);
    }
  }

  /** Marks an entry as refused, unless a newer version has been written. */
  refuse(entry: Entry, reason: string): void {
    if (!this.newest().some(({ id }) => id === entry.id)) return;
    const { id, value, memoryOnly, ...rest } = entry;
    const text = JSON.stringify({ ...rest, body: value, refused: reason } satisfies Written);
    if (memoryOnly) this.#memory.set(id, text);
    else if (!this.#write(id, text)) {
      // No room for the mark, so keep it in memory; otherwise the entry would be resent forever.
      this.remove(entry);
      this.#memory.set(id, text);
    }
  }

  /** Writes to storage, or else to memory. Returns whether storage took it. */
  #write(id: string, text: string): boolean {
    try {
      if (!this.#env.storage) throw new Error('This browser keeps nothing');
      this.#env.storage.setItem(id, text);
      this.#memory.delete(id);
      return true;
    } catch {
      this.#memory.set(id, text);
      return false;
    }
  }

  /** Everything stored, including older versions, oldest first. */
  #stored(): Entry[] {
    const texts = new Map(this.#memory);
    try {
      const { storage } = this.#env;
      for (let index = 0; index < (storage?.length ?? 0); index += 1) {
        const id = storage?.key(index);
        if (!id?.startsWith(this.#prefix)) continue;
        const text = storage?.getItem(id);
        if (text) texts.set(id, text);
      }
    } catch {
      // If storage is denied, this tab's memory is all there is.
    }
    return [...texts]
      .flatMap(([id, text]) => {
        const entry = parseEntry(id, text);
        if (!entry) return [];
        return this.#memory.has(id) ? [{ ...entry, memoryOnly: true as const }] : [entry];
      })
      .toSorted((a, b) => (stampOf(a.id) < stampOf(b.id) ? -1 : 1));
  }
}

/** The stamp at the end of a storage key: time and tab, so that it sorts by age. */
const stampOf = (id: string) => id.slice(id.lastIndexOf(':') + 1);

function parseEntry(id: string, text: string): Entry | null {
  try {
    const { body, ...entry } = JSON.parse(text) as Partial<Written>;
    const { kind, key, at = 0 } = entry;
    if (typeof kind !== 'string' || typeof key !== 'string') return null;
    return { ...entry, id, kind, key, at, value: body };
  } catch {
    return null;
  }
}
