/**
 * Where a reader is in a conversation: keeps their place when something comes above or below, follows
 * the end while they are there, and says how far they have read.
 *
 * The list stands on its end (`flex-direction: column-reverse`): the newest message is in view before
 * any script runs, and what comes above moves nothing. A virtual list is measured from its top.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from an end that still count as being there. */
const NEAR_END = 80;
/** Pixels before an end at which more is asked for. */
const AHEAD = 700;

interface Following {
  /** Changes whenever rows do. */
  rows: readonly unknown[];
  virtual: boolean;
  onNearTop: () => void;
  onNearEnd: () => void;
  /** The last message in view, while the page is looked at. */
  onSeen: (seq: number) => void;
}

interface Place {
  key: string;
  top: number;
}

const rowsIn = (scroller: HTMLElement) => [...scroller.querySelectorAll<HTMLElement>('[data-row]')];

/** Pixels between what is in view and the end. */
const fromEnd = (scroller: HTMLElement, virtual: boolean) =>
  virtual
    ? scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
    : Math.abs(scroller.scrollTop);

/** Pixels between the beginning and what is in view. */
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
    // Half of it: the end of a long one need not be in view.
    const { top, height } = row.getBoundingClientRect();
    return row.dataset.seq !== undefined && top + Math.min(height / 2, 60) <= edge;
  });
  return seen ? Number(seen.dataset.seq) : null;
}

/** Follows the scroller; gives whether the reader is at the end, and the ways there and to a row. */
export function useThreadScroll(scroller: RefObject<HTMLDivElement | null>, given: Following) {
  const [atEnd, setAtEnd] = useState(true);
  const latest = useRef(given);
  latest.current = given;
  const place = useRef<Place | null>(null);
  const ends = useRef(true);

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { virtual, onNearTop, onNearEnd, onSeen } = latest.current;
    const below = fromEnd(element, virtual);
    ends.current = below < NEAR_END;
    setAtEnd(ends.current);
    place.current = firstInView(element);
    if (fromTop(element, virtual) < AHEAD) onNearTop();
    if (below < AHEAD) onNearEnd();
    if (document.visibilityState === 'visible' && document.hasFocus()) {
      const seq = lastSeen(element);
      if (seq !== null) onSeen(seq);
    }
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    element.addEventListener('scroll', soon, { passive: true });
    document.addEventListener('visibilitychange', soon);
    addEventListener('focus', soon);
    addEventListener('resize', soon);
    soon();
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', soon);
      document.removeEventListener('visibilitychange', soon);
      removeEventListener('focus', soon);
      removeEventListener('resize', soon);
    };
  }, [scroller, look]);

  // What came below must not push away what somebody reads further up.
  const { rows, virtual } = given;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = place.current;
    if (element && before && !virtual && !ends.current) {
      const row = element.querySelector(`[data-row="${CSS.escape(before.key)}"]`);
      if (row) {
        const moved =
          row.getBoundingClientRect().top - element.getBoundingClientRect().top - before.top;
        if (Math.abs(moved) > 1) element.scrollTop += moved;
      }
    }
    const frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [rows, virtual, look, scroller]);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    ends.current = true;
    element.scrollTop = latest.current.virtual ? element.scrollHeight : 0;
    setAtEnd(true);
  }, [scroller]);

  /** Brings a row into the middle; looks at once, for what comes before the next picture. */
  const bring = useCallback(
    (row: HTMLElement) => {
      row.scrollIntoView({ block: 'center' });
      look();
    },
    [look],
  );

  return { atEnd, toEnd, bring };
}
