import { useStore } from '@nanostores/react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { whenIdle } from '#lib/browser/when-idle.ts';
import { today } from '#lib/locale/dates.ts';
import { $newFacts } from '#stores/session.ts';

/** The toggles that are on for the user: those the page was rendered with, until they change. */
export const useToggles = (initial: SessionFacts['toggles']): SessionFacts['toggles'] =>
  useStore($newFacts, { ssr: () => null })?.toggles ?? initial;

const MINUTE = 60_000;

/**
 * Today in the reader's time zone, kept current so "Today" turns into "Yesterday" at midnight.
 * @param initial the day that the server rendered
 */
export function useToday(initial: string, timeZone: string): string {
  const [day, setDay] = useState(initial);
  useEffect(() => {
    const timer = setInterval(() => setDay(today(timeZone)), MINUTE);
    return () => clearInterval(timer);
  }, [timeZone]);
  return day;
}

/**
 * Opens a store once the page is idle; at once if the focus is in its part of the page, so that a draft
 * from before a reload is there before anything is typed.
 * @returns opens it now, for the first focus and the first press in that part
 */
export function useOpenStoreWhenIdle(
  store: { open: () => () => void },
  part: RefObject<HTMLElement | null>,
): () => void {
  const open = useRef(() => {});
  // As in ui/use-open-store.ts: the part can be used right after.
  useLayoutEffect(() => {
    let close: (() => void) | undefined;
    open.current = () => {
      close ??= store.open();
    };
    const cancel = whenIdle(open.current);
    if (part.current?.contains(document.activeElement)) open.current();
    return () => {
      open.current = () => {};
      cancel();
      close?.();
    };
  }, [store, part]);
  return useCallback(() => open.current(), []);
}

/**
 * Sets `--visible-height` while an on-screen keyboard covers part of the page, because Safari on a
 * phone doesn't resize the page. The layout uses it (layouts/Dashboard.astro).
 */
export function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const root = document.documentElement;
    const update = () => {
      // Zooming in also shrinks the visual viewport, without a keyboard.
      const covered = viewport.scale < 1.01 && window.innerHeight - viewport.height > 80;
      if (covered) root.style.setProperty('--visible-height', `${Math.round(viewport.height)}px`);
      else root.style.removeProperty('--visible-height');
    };
    viewport.addEventListener('resize', update);
    return () => {
      viewport.removeEventListener('resize', update);
      root.style.removeProperty('--visible-height');
    };
  }, []);
}
