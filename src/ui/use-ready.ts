import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page is hydrated. Before that, forms can't be sent; script-only parts are hidden. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
