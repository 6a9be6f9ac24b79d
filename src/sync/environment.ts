import { QUEUE_PREFIX } from '#lib/browser/unsent-here.ts';

/** The browser APIs that the pipeline uses: storage, locks, clock, events. Tests pass fakes. */
export type SyncEnvironment = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> | null;
  /** Runs the task while no other tab does; undefined if the browser doesn't support Web Locks. */
  exclusively?<T>(name: string, task: () => Promise<T>): Promise<T>;
  now(): number;
  setTimeout(task: () => void, milliseconds: number): () => void;
  /** Calls back when back online, when the tab is shown, or when another tab changes storage. */
  onWake(wake: (reason: 'connection' | 'shown' | 'storage') => void): () => void;
  /** Unique per tab. */
  tab: string;
};

/** The actual browser: its storage, locks, clock and events. */
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
      // Two windows side by side are both visible, so returning focus to one counts as well.
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
    // Not a secret: it only tells tabs apart. randomUUID would need a secure context.
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
