/**
 * A random UUID (version 4, RFC 9562) for what a person makes, so that sending it twice stores it once.
 * `crypto.randomUUID` is missing on pages that came by plain http from another machine.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Ids for what one form sends: the same one for the same words, so that trying again stores them once,
 * and another one for other words, which must not be confused with a first try whose answer was lost.
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
