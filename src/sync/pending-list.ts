/** Pending writes for one place on the page, which shows them until they're stored. */
import { atom, type ReadableAtom } from 'nanostores';
import type { SaveStatus } from '#lib/save-status.ts';
import type { Kind } from './kind.ts';
import type { Sync } from './sync.ts';

/** A pending write and how safe it is. */
export interface PendingItem<Value> {
  key: string;
  value: Value;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  status: SaveStatus;
  /** The browser wouldn't store it, so it's lost when this tab closes. */
  memoryOnly?: true;
}

interface PendingDeps<Value, Answer> {
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync: () => Sync;
  kind: Kind<Value, Answer>;
  /** Whether a value belongs to this place. */
  belongs: (value: Value) => boolean;
  /** Called once it's stored. `answer` is undefined if another tab sent it. */
  onStored: (value: Value, answer: Answer | undefined) => void;
}

export interface PendingList<Value> {
  $items: ReadableAtom<readonly PendingItem<Value>[]>;
  /** Follows pending writes of all tabs. Returns the cleanup. */
  open(): () => void;
  /** @param held why it isn't sent yet: the person is still working on it */
  add(key: string, value: Value, held?: string): void;
  /** Resends one that was refused. */
  retry(key: string): void;
  /** Deletes one that hasn't been sent. */
  discard(key: string): void;
}

/** Creates the list for one place. What's added before it's opened is stored as well. */
export function createPendingList<Value, Answer>({
  openSync,
  kind,
  belongs,
  onStored,
}: PendingDeps<Value, Answer>): PendingList<Value> {
  const $items = atom<readonly PendingItem<Value>[]>([]);
  return {
    $items,
    open() {
      const sync = openSync();
      const stops = [
        sync.$unsent.subscribe(() => {
          const items = sync.unsentOf(kind).filter(({ value }) => belongs(value));
          // Usually there are none, and then nothing has to render again.
          if (items.length > 0 || $items.get().length > 0) $items.set(items);
        }),
        sync.onStored(kind, ({ value }, sent) => {
          if (belongs(value)) onStored(value, sent?.answer);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    add: (key, value, held) => openSync().write(kind, key, value, held),
    retry(key) {
      const item = $items.get().find((each) => each.key === key);
      if (item) openSync().write(kind, key, item.value);
    },
    discard: (key) => openSync().discard(kind, key),
  };
}
