/**
 * What this browser keeps between pages, as JSON. Storage can hold anything, so a schema reads it; on the
 * server, and in a browser that refuses storage, nothing is kept.
 */
import * as v from 'valibot';

/** What is stored under a key, or null where it's nothing that fits. */
export function readStored<Value>(
  key: string,
  schema: v.GenericSchema<unknown, Value>,
): Value | null {
  try {
    return v.parse(schema, JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}

/** Stores a value, or removes it when it's null. Gives whether the browser did: it may be full. */
export function writeStored(key: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Calls back when another tab of this browser changed what is stored under a key. Gives the cleanup. */
export function onStored(key: () => string, changed: () => void): () => void {
  const listener = (event: StorageEvent) => {
    // Without a key, all of the storage was cleared.
    if (event.key === key() || event.key === null) changed();
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}
