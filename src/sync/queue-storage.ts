/**
 * Where the queue keeps its entries: the browser's storage, or this tab's memory where that is full
 * or denied. Each version of an entry has a storage key of its own, which ends in a stamp that sorts
 * by age: two tabs never overwrite one another, the newest version of a key wins wherever it was
 * written, and removing what was sent can never remove something newer.
 */
import { QUEUE_PREFIX } from '#lib/browser/unsent-here.ts';
import type { SyncEnvironment } from './environment.ts';

/** What a person reads of an entry where nothing else of the product can be loaded. */
export interface EntryText {
  /** In words, for example `A task: “Measure the door”`. */
  text?: string;
  /** Of several with the same text, behind their number: `quiz answers`. */
  plural?: string;
}

export interface Entry extends EntryText {
  /** The storage key of this version. */
  id: string;
  /** What it is, and with it who sends it: `answer`. */
  kind: string;
  /** What it is about; a newer entry with the same kind and key replaces it. */
  key: string;
  value: unknown;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** Why it will never be accepted as it is: a sentence for a person. It is not sent again. */
  refused?: string;
  /** The browser would not store it: it lives as long as this tab. */
  memoryOnly?: true;
}

/** An entry as it is written down. */
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

  /** Stores an entry in the place of its older versions. */
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
    // A full storage may have room again, now that the older version is gone.
    if (!kept && older.length > 0) this.#write(id, text);
  }

  /** The newest version of each key, oldest first. Older ones, left by two tabs at once, go. */
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
      // Storage that refuses to forget holds an entry that is idempotent: sent again, no harm.
    }
  }

  /** Forgets every version of an entry. */
  discard(kind: string, key: string): void {
    for (const entry of this.#stored()) {
      if (entry.kind === kind && entry.key === key) this.remove(entry);
    }
  }

  /** Marks an entry as refused, in place, unless a newer version of it was written meanwhile. */
  refuse(entry: Entry, reason: string): void {
    if (!this.newest().some(({ id }) => id === entry.id)) return;
    const { id, value, memoryOnly, ...rest } = entry;
    const text = JSON.stringify({ ...rest, body: value, refused: reason } satisfies Written);
    if (memoryOnly) this.#memory.set(id, text);
    else if (!this.#write(id, text)) {
      // No room for the mark: it is kept here, or the entry would be sent forever.
      this.remove(entry);
      this.#memory.set(id, text);
    }
  }

  /** Writes to storage, else to memory; says whether it was storage. */
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

  /** Everything that is kept, older versions too, oldest first. */
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
      // Denied storage: what this tab remembers is all there is.
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

/** A storage key ends in the moment it was written and the tab, so that it sorts by age. */
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
