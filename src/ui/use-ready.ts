import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether scripts run by now: a form that would send nothing yet keeps its button closed. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
