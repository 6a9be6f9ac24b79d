/** Brings the reader to a message, to the first new one, or to the end. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { ShownMessage } from './conversation.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { Row } from './ThreadRows.tsx';
import type { VirtualHandle } from './VirtualRows.tsx';

/** Milliseconds for which the message that the reader was brought to is highlighted. */
const HIGHLIGHTED_FOR = 2_500;

const findRow = (scroller: HTMLElement | null, key: string) =>
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;

interface JumpOptions {
  scroller: RefObject<HTMLDivElement | null>;
  /** The virtual list; its `current` is null while all rows are on the page. */
  handle: RefObject<VirtualHandle | null>;
  rows: readonly Row[];
  /** The place in the address; null for none. */
  at: number | null;
  scrollToRow: (row: HTMLElement) => void;
}

/** Gives the place that is highlighted, and what jumps to another one. */
export function useJump(store: ConversationStore, options: JumpOptions) {
  const { scroller, handle, rows, at, scrollToRow } = options;
  const [target, setTarget] = useState<{ seq: number } | null>(at === null ? null : { seq: at });
  const [highlighted, setHighlighted] = useState<number | null>(null);

  // Without a place in the address the reader starts at the first new message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has loaded
  useEffect(() => {
    const firstNew = at === null ? findRow(scroller.current, 'new') : null;
    const edge = scroller.current?.getBoundingClientRect().top ?? 0;
    // Unless all new ones are in view from the end.
    if (firstNew && firstNew.getBoundingClientRect().top < edge) scrollToRow(firstNew);
  }, []);

  useEffect(() => {
    if (!target) return;
    const index = rows.findIndex((row) => row.kind === 'message' && row.message.seq === target.seq);
    const row = rows[index];
    if (!row) return;
    const list = handle.current;
    const focusRow = () => {
      const element = findRow(scroller.current, row.key);
      if (!element) return;
      if (!list) scrollToRow(element);
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    };
    list?.show(index);
    setHighlighted(target.seq);
    setTarget(null);
    // A virtual list renders the row first.
    if (list) requestAnimationFrame(focusRow);
    else focusRow();
  }, [target, rows, scroller, handle, scrollToRow]);

  useEffect(() => {
    if (highlighted === null) return;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHTED_FOR);
    return () => clearTimeout(timer);
  }, [highlighted]);

  const jumpTo = useCallback(
    async (seq: number) => {
      if (await store.paging.jumpTo(seq)) setTarget({ seq });
    },
    [store],
  );
  return { highlighted, jumpTo };
}

/** Calls `goToEnd` when the reader has sent a message, wherever they were. */
export function useFollowOwn(messages: readonly ShownMessage[], goToEnd: () => void): void {
  const unsent = messages.findLast(({ mine, seq }) => mine && seq === null)?.id;
  const before = useRef(unsent);
  useEffect(() => {
    if (unsent !== undefined && unsent !== before.current) goToEnd();
    before.current = unsent;
  }, [unsent, goToEnd]);
}

/** Counts the messages of others that came while the reader wasn't at the end. */
export function useNewBelow(
  messages: readonly ShownMessage[],
  lastSeq: number,
  atEnd: boolean,
): number {
  const highest = messages.findLast(({ seq }) => seq !== null)?.seq ?? 0;
  // Messages that existed when the page was opened aren't new, though they may load later.
  const [seen, setSeen] = useState(Math.max(highest, lastSeq));
  useEffect(() => {
    if (atEnd) setSeen(highest);
  }, [atEnd, highest]);
  if (atEnd) return 0;
  return messages.filter(({ seq, mine }) => !mine && seq !== null && seq > seen).length;
}
