/**
 * The scroll position in a conversation: keeps the reader's place when messages are added, follows
 * the end while they're there, and reports how far they've read.
 *
 * The list is laid out from its end (`flex-direction: column-reverse`), so the newest message is in
 * view before any script runs and messages added above don't shift it. A virtual list is laid out
 * from its top.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import type { ShownMessage } from '../conversation/shown-messages.ts';
import type { Row } from './ThreadRows.tsx';
import type { VirtualHandle } from './VirtualRows.tsx';

/** Pixels from the end that still count as being there. */
const NEAR_END = 80;
/** Pixels before an edge at which more is loaded. */
const LOAD_AHEAD = 700;

interface Options {
  /** A new array whenever rows change. */
  rows: readonly unknown[];
  virtual: boolean;
  onNearTop: () => void;
  onNearEnd: () => void;
  /** Called with the last message in view, while the page is visible and focused. */
  onSeen: (seq: number) => void;
}

/** A row, and its distance from the top of the view in pixels. */
interface Place {
  key: string;
  top: number;
}

const rowsIn = (scroller: HTMLElement) => [...scroller.querySelectorAll<HTMLElement>('[data-row]')];

/** Pixels between the bottom of the view and the end. */
const fromEnd = (scroller: HTMLElement, virtual: boolean) =>
  virtual
    ? scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
    : Math.abs(scroller.scrollTop);

/** Pixels between the start and the top of the view. */
export const fromTop = (scroller: HTMLElement, virtual: boolean) =>
  virtual
    ? scroller.scrollTop
    : scroller.scrollHeight - scroller.clientHeight - Math.abs(scroller.scrollTop);

function firstInView(scroller: HTMLElement): Place | null {
  const edge = scroller.getBoundingClientRect().top;
  for (const row of rowsIn(scroller)) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { key: row.dataset.row ?? '', top: top - edge };
  }
  return null;
}

function lastSeen(scroller: HTMLElement): number | null {
  const edge = scroller.getBoundingClientRect().bottom;
  const seen = rowsIn(scroller).findLast((row) => {
    // Half of it is enough, or 60 px: the end of a long message doesn't have to be in view.
    const { top, height } = row.getBoundingClientRect();
    return row.dataset.seq !== undefined && top + Math.min(height / 2, 60) <= edge;
  });
  return seen ? Number(seen.dataset.seq) : null;
}

/** Tracks the scroller. Returns whether the reader is at the end, and functions that scroll. */
export function useThreadScroll(scroller: RefObject<HTMLDivElement | null>, options: Options) {
  const [atEnd, setAtEnd] = useState(true);
  const latest = useRef(options);
  latest.current = options;
  const place = useRef<Place | null>(null);
  const isAtEnd = useRef(true);

  const update = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { virtual, onNearTop, onNearEnd, onSeen } = latest.current;
    const below = fromEnd(element, virtual);
    isAtEnd.current = below < NEAR_END;
    setAtEnd(isAtEnd.current);
    place.current = firstInView(element);
    if (fromTop(element, virtual) < LOAD_AHEAD) onNearTop();
    if (below < LOAD_AHEAD) onNearEnd();
    if (document.visibilityState === 'visible' && document.hasFocus()) {
      const seq = lastSeen(element);
      if (seq !== null) onSeen(seq);
    }
  }, [scroller]);
  useUpdates(scroller, update);

  const { rows, virtual } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows
  useLayoutEffect(() => {
    // Messages added below must not shift what the reader is looking at further up.
    const before = place.current;
    if (scroller.current && before && !virtual && !isAtEnd.current)
      restore(scroller.current, before);
    const frame = requestAnimationFrame(update);
    return () => cancelAnimationFrame(frame);
  }, [rows, virtual, update, scroller]);

  const scrollToEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    isAtEnd.current = true;
    element.scrollTop = latest.current.virtual ? element.scrollHeight : 0;
    setAtEnd(true);
  }, [scroller]);

  const scrollToRow = useCallback(
    (row: HTMLElement) => {
      row.scrollIntoView({ block: 'center' });
      // Update right away, because the rows may change before the next frame.
      update();
    },
    [update],
  );

  return { atEnd, scrollToEnd, scrollToRow };
}

/** Scrolls the row of a place back to where it was. */
function restore(scroller: HTMLElement, { key, top }: Place) {
  const row = scroller.querySelector(`[data-row="${CSS.escape(key)}"]`);
  if (!row) return;
  const moved = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - top;
  if (Math.abs(moved) > 1) scroller.scrollTop += moved;
}

/** Calls `update` in the next frame, on mount and whenever the view may have changed. */
function useUpdates(scroller: RefObject<HTMLDivElement | null>, update: () => void) {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const updateSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    const controller = new AbortController();
    const { signal } = controller;
    element.addEventListener('scroll', updateSoon, { passive: true, signal });
    document.addEventListener('visibilitychange', updateSoon, { signal });
    addEventListener('focus', updateSoon, { signal });
    addEventListener('resize', updateSoon, { signal });
    updateSoon();
    return () => {
      cancelAnimationFrame(frame);
      controller.abort();
    };
  }, [scroller, update]);
}

/** How long the message that the reader jumped to is highlighted, in milliseconds. */
const HIGHLIGHTED_FOR = 2_500;

const findRow = (scroller: HTMLElement | null, key: string) =>
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;

interface JumpOptions {
  scroller: RefObject<HTMLDivElement | null>;
  /** The virtual list; its `current` is null while all rows are on the page. */
  handle: RefObject<VirtualHandle | null>;
  rows: readonly Row[];
  /** The sequence number in the URL; null for none. */
  at: number | null;
  scrollToRow: (row: HTMLElement) => void;
}

/** Returns the highlighted sequence number, and a function that jumps to another message. */
export function useJump(store: ConversationStore, options: JumpOptions) {
  const { scroller, handle, rows, at, scrollToRow } = options;
  const [target, setTarget] = useState<{ seq: number } | null>(at === null ? null : { seq: at });
  const [highlighted, setHighlighted] = useState<number | null>(null);

  // If the URL doesn't name a message, the reader starts at the first new one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has loaded
  useEffect(() => {
    const firstNew = at === null ? findRow(scroller.current, 'new') : null;
    const edge = scroller.current?.getBoundingClientRect().top ?? 0;
    // Stay at the end if all new messages are in view from there.
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
    // A virtual list has to render the row first.
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

/** Calls `goToEnd` when the reader has sent a message, wherever they've scrolled to. */
export function useFollowOwn(messages: readonly ShownMessage[], goToEnd: () => void): void {
  const unsent = messages.findLast(({ mine, seq }) => mine && seq === null)?.id;
  const before = useRef(unsent);
  useEffect(() => {
    if (unsent !== undefined && unsent !== before.current) goToEnd();
    before.current = unsent;
  }, [unsent, goToEnd]);
}

/** Counts other people's messages that arrived while the reader wasn't at the end. */
export function useNewBelow(
  messages: readonly ShownMessage[],
  lastSeq: number,
  atEnd: boolean,
): number {
  const highest = messages.findLast(({ seq }) => seq !== null)?.seq ?? 0;
  // Messages that existed when the page loaded aren't new, even if they're fetched later.
  const [seen, setSeen] = useState(Math.max(highest, lastSeq));
  useEffect(() => {
    if (atEnd) setSeen(highest);
  }, [atEnd, highest]);
  if (atEnd) return 0;
  return messages.filter(({ seq, mine }) => !mine && seq !== null && seq > seen).length;
}
