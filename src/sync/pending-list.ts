/** What was written for one place and has not arrived: shown there at once, and until it has. */
import { atom, type ReadableAtom } from 'nanostores';
import type { SaveStatus } from '#lib/save-status.ts';
import type { Kind } from './kind.ts';
import type { Sync } from './sync.ts';

/** One of them, with how safe it is. */
export interface PendingItem<Value> {
  key: string;
  value: Value;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  status: SaveStatus;
}

interface PendingDeps<Value, Answer> {
  /** Called once, in a browser. */
  openSync: () => Sync;
  kind: Kind<Value, Answer>;
  /** Whether it was written for this place. */
  belongs: (value: Value) => boolean;
  /** It is stored. `answer` is undefined where another tab has sent it. */
  onStored: (value: Value, answer: Answer | undefined) => void;
}

export interface PendingList<Value> {
  $items: ReadableAtom<readonly PendingItem<Value>[]>;
  /** Follows what is written, in all tabs; gives the end of it. */
  open(): () => void;
  add(key: string, value: Value): void;
  /** Sends one again that was refused. */
  retry(key: string): void;
  /** Forgets one that is not sent. */
  discard(key: string): void;
}

/** Makes the list of one place. Nothing happens before it is opened, in a browser. */
export function createPendingList<Value, Answer>({
  openSync,
  kind,
  belongs,
  onStored,
}: PendingDeps<Value, Answer>): PendingList<Value> {
  const $items = atom<readonly PendingItem<Value>[]>([]);
  let sync: Sync | null = null;
  return {
    $items,
    open() {
      const opened = openSync();
      sync = opened;
      const stops = [
        opened.$unsent.subscribe(() =>
          $items.set(opened.unsentOf(kind).filter(({ value }) => belongs(value))),
        ),
        opened.onStored(kind, ({ value }, sent) => {
          if (belongs(value)) onStored(value, sent?.answer);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    add: (key, value) => sync?.write(kind, key, value),
    retry(key) {
      const item = $items.get().find((each) => each.key === key);
      if (item) sync?.write(kind, key, item.value);
    },
    discard: (key) => sync?.discard(kind, key),
  };
}
