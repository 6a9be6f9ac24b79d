import { QUEUE_PREFIX } from '#lib/browser/unsent-here.ts';

/** What the write pipeline needs of a browser: storage, locks, a clock and events. Tests bring their own. */
export type SyncEnvironment = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> | null;
  /** Runs the task when no other tab does; undefined where a browser has no locks. */
  exclusively?<T>(name: string, task: () => Promise<T>): Promise<T>;
  now(): number;
  setTimeout(task: () => void, milliseconds: number): () => void;
  /** Calls back when the connection returns, the tab is shown, or another tab changed storage. */
  onWake(wake: (reason: 'connection' | 'shown' | 'storage') => void): () => void;
  /** Different in every tab. */
  tab: string;
};

/** The browser itself: its storage, locks, clock and events. */
export function browserEnvironment(): SyncEnvironment {
  return {
    storage: allowedStorage(),
    ...(navigator.locks && {
      exclusively: <T>(name: string, task: () => Promise<T>) =>
        navigator.locks.request(name, task) as Promise<T>,
    }),
    now: Date.now,
    setTimeout(task, milliseconds) {
      const timer = setTimeout(task, milliseconds);
      return () => clearTimeout(timer);
    },
    onWake(wake) {
      const online = () => wake('connection');
      const shown = () => document.visibilityState === 'visible' && wake('shown');
      // Two windows side by side are both visible: coming back to one of them counts as well.
      let away = false;
      const left = () => {
        away = true;
      };
      const entered = () => {
        if (away) wake('shown');
        away = false;
      };
      const changed = (event: StorageEvent) => {
        if (event.key === null || event.key.startsWith(QUEUE_PREFIX)) wake('storage');
      };
      addEventListener('online', online);
      document.addEventListener('visibilitychange', shown);
      addEventListener('storage', changed);
      addEventListener('blur', left);
      addEventListener('focus', entered);
      return () => {
        removeEventListener('online', online);
        document.removeEventListener('visibilitychange', shown);
        removeEventListener('storage', changed);
        removeEventListener('blur', left);
        removeEventListener('focus', entered);
      };
    },
    // Not a secret: it only keeps two tabs of one browser apart. randomUUID needs a secure page.
    tab: Math.random().toString(36).slice(2, 10),
  };
}

function allowedStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
