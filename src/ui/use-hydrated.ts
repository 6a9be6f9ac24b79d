import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while HTML of the server is shown, true once scripts run: what needs them appears then. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
