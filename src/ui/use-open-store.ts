import { type EffectCallback, useLayoutEffect } from 'react';

/**
 * Opens a store with the component, and closes it with it. In a layout effect, because React makes
 * the page's controls usable right before (`until-ready.ts`), and a browser dispatches no event in
 * between: whatever a person does, the store is open.
 */
export function useOpenStore(store: { open: EffectCallback }): void {
  useLayoutEffect(() => store.open(), [store]);
}
