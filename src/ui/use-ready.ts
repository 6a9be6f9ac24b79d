import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page is hydrated. Until then, forms can't be sent and script-only parts are hidden. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
