/** Prefix of every storage key of the write pipeline. */
export const QUEUE_PREFIX = 'trellis-outbox';

interface Entry {
  kind: string;
  key: string;
  refused?: string;
  text?: string;
  plural?: string;
}

/**
 * Describes what this browser still has to send, for layouts/offline-page.ts. That page can't
 * import anything, so this function is inlined into it as source text: it may use only its
 * arguments and standard browser APIs.
 * @param prefix QUEUE_PREFIX
 * @param cookie the page's cookies, which tell whose entries it may show
 * @returns a line for each thing, oldest first; null if nobody is signed in
 */
export function unsentHere(
  prefix: string,
  storage: Pick<Storage, 'getItem' | 'key' | 'length'>,
  cookie: string,
): string[] | null {
  /** The user id in the session cookie. */
  function owner(): string | null {
    // The cookie may be split into parts `.0`, `.1` …, to be joined in order.
    const parts = [...cookie.matchAll(/(?:^|; )trellis-session(?:\.(\d+))?=([^;]*)/g)]
      .sort(([, a = -1], [, b = -1]) => Number(a) - Number(b))
      .map(([, , value = '']) => value);
    try {
      const base64 = decodeURIComponent(parts.join('')).replace(/^base64-/, '');
      const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
      const json = new TextDecoder().decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
      const session = JSON.parse(json) as { user: { id: string } };
      return session.user.id || null;
    } catch {
      return null;
    }
  }

  /** The newest version of each entry, oldest first. */
  function newest(person: string): Entry[] {
    const stampOf = (key: string) => key.slice(key.lastIndexOf(':') + 1);
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
      .filter((key) => key.startsWith(`${prefix}:${person}:`))
      .sort((a, b) => (stampOf(a) < stampOf(b) ? -1 : 1));
    const byName = new Map<string, Entry>();
    for (const key of keys) {
      try {
        const entry = JSON.parse(storage.getItem(key) ?? 'null') as Entry | null;
        if (typeof entry?.kind !== 'string' || typeof entry.key !== 'string') continue;
        byName.delete(`${entry.kind}:${entry.key}`);
        byName.set(`${entry.kind}:${entry.key}`, entry);
      } catch {
        // Ignore an entry that can't be parsed.
      }
    }
    return [...byName.values()];
  }

  const person = owner();
  if (person === null) return null;
  const counts = new Map<string, { count: number; plural: string | undefined }>();
  for (const { text = 'A change', plural, refused } of newest(person)) {
    if (refused !== undefined) continue;
    counts.set(text, { count: (counts.get(text)?.count ?? 0) + 1, plural });
  }
  return [...counts].map(([text, { count, plural }]) =>
    count > 1 && plural !== undefined ? `${count} ${plural}` : text,
  );
}
