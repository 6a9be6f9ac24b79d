import { useEffect } from 'react';
import { holdUnsaved } from '#lib/browser/unsaved.ts';

/** Lets the browser ask before the page is left. */
export function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}

/** Keeps the page from being taken away by itself (lib/browser/unsaved.ts). */
export function useUnsaved(active: boolean): void {
  useEffect(() => (active ? holdUnsaved() : undefined), [active]);
}
