/**
 * JSON in this browser's local storage. Anything could be in there, so a schema parses it. On the
 * server, or if the browser denies storage, nothing is stored.
 */
import type { GenericSchema } from 'valibot';

/** The JSON stored under a key, whatever it is, or null if there's none. */
export function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** The value stored under a key, or null if there's none or it doesn't match the schema. */
export function readStored<Value>(
  key: string,
  schema: GenericSchema<unknown, Value>,
): Value | null {
  // By the interface that all schema libraries share, so that this module doesn't load one.
  const read = schema['~standard'].validate(readJson(key));
  return 'value' in read && !read.issues ? read.value : null;
}

/** Stores a value, or removes it if null. Returns whether that worked: storage may be full. */
export function writeStored(key: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Calls back when another tab changes the value under a key. Returns the cleanup. */
export function onStored(key: () => string, changed: () => void): () => void {
  const listener = (event: StorageEvent) => {
    // A null key means that all of storage was cleared.
    if (event.key === key() || event.key === null) changed();
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}
