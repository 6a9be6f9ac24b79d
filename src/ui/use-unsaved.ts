import { useEffect } from 'react';
import { holdUnsaved } from '#lib/browser/unsaved.ts';

/** Makes the browser ask for confirmation before the user leaves the page. */
export function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}

/** Prevents automatic reloads of the page (lib/browser/unsaved.ts). */
export function useUnsaved(active: boolean): void {
  useEffect(() => (active ? holdUnsaved() : undefined), [active]);
}
