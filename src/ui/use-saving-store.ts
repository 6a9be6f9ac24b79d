import { useEffect, useState } from 'react';
import { useOpenStore } from './use-open-store.ts';

/** What saves as one types. */
interface SavingStore {
  /** Follows other tabs and what other people save. Returns the cleanup. */
  open(): () => void;
  /** Sends what isn't saved yet. */
  flush(): void;
}

/** Creates a store that saves as one types; leaving the page sends what isn't saved yet. */
export function useSavingStore<Store extends SavingStore>(create: () => Store): Store {
  const [store] = useState(create);
  useOpenStore(store);
  useEffect(() => {
    // On a phone, this may be the last event before the browser discards the page.
    const left = () => document.visibilityState === 'hidden' && store.flush();
    document.addEventListener('visibilitychange', left);
    return () => document.removeEventListener('visibilitychange', left);
  }, [store]);
  return store;
}
