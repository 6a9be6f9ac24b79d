/**
 * Says in words what waits to be sent from this browser, for layouts/offline-page.ts. That page
 * can't import anything, so this function is written into it as text: it uses only its arguments and
 * what every browser has.
 * @param prefix every key of the outbox begins with it (outbox-environment.ts); a test holds the rest
 *   to outbox-shelf.ts
 * @param cookie the cookies of the page: they say whose entries may be shown
 * @returns a line for each thing, oldest first; null where nobody is signed in
 */
export function waitingHere(
  prefix: string,
  storage: Pick<Storage, 'getItem' | 'key' | 'length'>,
  cookie: string,
): string[] | null {
  interface Entry {
    kind: string;
    key: string;
    refused?: string;
    body?: { title?: string; body?: string; input?: { name?: string } };
  }

  /** The id of the person whose session this browser holds. */
  function owner(): string | null {
    const cookies = new Map(
      cookie.split('; ').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [name, value.join('=')];
      }),
    );
    let text = cookies.get('trellis-session') ?? '';
    for (let part = 0; cookies.has(`trellis-session.${part}`); part += 1) {
      text += cookies.get(`trellis-session.${part}`);
    }
    try {
      const base64 = decodeURIComponent(text).replace(/^base64-/, '');
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
    const found: { stamp: string; entry: Entry }[] = [];
    for (let index = 0; index < storage.length; index += 1) {
      const key = storage.key(index) ?? '';
      if (!key.startsWith(`${prefix}:${person}:`)) continue;
      try {
        const entry = JSON.parse(storage.getItem(key) ?? 'null') as Entry | null;
        if (typeof entry?.kind !== 'string' || typeof entry.key !== 'string') continue;
        found.push({ stamp: key.slice(key.lastIndexOf(':') + 1), entry });
      } catch {
        // Half an entry is none.
      }
    }
    found.sort((a, b) => (a.stamp < b.stamp ? -1 : 1));
    const byName = new Map<string, Entry>();
    for (const { entry } of found) {
      byName.delete(`${entry.kind}:${entry.key}`);
      byName.set(`${entry.kind}:${entry.key}`, entry);
    }
    return [...byName.values()];
  }

  const quoted = (what: string, text = '') => {
    const short = text.trim().replace(/\s+/g, ' ');
    if (!short) return what;
    return `${what}: “${short.length > 80 ? `${short.slice(0, 79).trim()}…` : short}”`;
  };

  const person = owner();
  if (person === null) return null;
  const waiting = newest(person).filter(({ refused }) => refused === undefined);
  const answers = waiting.filter(({ kind }) => kind === 'answer' || kind === 'rating').length;
  const lines = new Set<string>();
  for (const { kind, body = {} } of waiting) {
    if (kind === 'answer' || kind === 'rating') {
      lines.add(answers === 1 ? 'One quiz answer' : `${answers} quiz answers`);
    } else if (kind === 'finish') lines.add('Finishing your quiz');
    else if (kind === 'message') lines.add(quoted('A message', body.body));
    else if (kind === 'draft') lines.add('A message you’ve started');
    else if (kind === 'project-task') lines.add(quoted('A task', body.title));
    else if (kind === 'project-update') lines.add(quoted('A project update', body.body));
    else if (kind === 'business') lines.add(quoted('A new business', body.input?.name));
    else if (kind === 'fact') lines.add('Changes to a business');
    else if (kind === 'plan') lines.add('Changes to a business plan');
    else lines.add('A change');
  }
  return [...lines];
}
