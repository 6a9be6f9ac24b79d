/** Every key of the write pipeline in the browser's storage begins with this. */
export const QUEUE_PREFIX = 'trellis-outbox';

interface Entry {
  kind: string;
  key: string;
  refused?: string;
  text?: string;
  plural?: string;
}

/**
 * Lists in words what waits to be sent from this browser, for layouts/offline-page.ts. That page
 * can't import anything, so this function is written into it as text: it uses only its arguments and
 * what every browser has.
 * @param prefix QUEUE_PREFIX
 * @param cookie the cookies of the page: they say whose entries may be shown
 * @returns a line for each thing, oldest first; null where nobody is signed in
 */
export function unsentHere(
  prefix: string,
  storage: Pick<Storage, 'getItem' | 'key' | 'length'>,
  cookie: string,
): string[] | null {
  /** The id of the person whose session this browser holds. */
  function owner(): string | null {
    // The cookie, or its parts `.0`, `.1` … in order.
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
        // Half an entry is none.
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
