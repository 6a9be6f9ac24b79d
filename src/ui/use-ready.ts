import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether scripts run by now: before, a form keeps its button closed, and what needs them is not shown. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
