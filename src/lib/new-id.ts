/**
 * A random UUID (version 4, RFC 9562) for a new record, so that sending it twice stores it once.
 * `crypto.randomUUID` is missing on pages loaded over plain HTTP from another machine.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Generates ids for a form's submissions: the same id for the same content, so that a retry stores
 * it once, and a new id for changed content, since an earlier attempt may have arrived.
 */
export function idsByWords(): (words: unknown) => string {
  const ids = new Map<string, string>();
  return (words) => {
    const key = JSON.stringify(words);
    const id = ids.get(key) ?? newId();
    ids.set(key, id);
    return id;
  };
}
