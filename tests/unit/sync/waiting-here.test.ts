import { describe, expect, test } from 'vitest';
import { encodeSession, type Session } from '#lib/supabase.ts';
import { PREFIX } from '#sync/outbox-environment.ts';
import { createShelf } from '#sync/outbox-shelf.ts';
import { waitingHere } from '#sync/waiting-here.ts';
import { memoryBrowser } from '../../fixtures/memory-browser.ts';

/** Every kind has a line; a test below names those that the stores send. */
const KINDS: [kind: string, body: object, line: string][] = [
  ['finish', {}, 'Finishing your quiz'],
  ['message', { body: 'See you\n at nine' }, 'A message: “See you at nine”'],
  ['draft', { body: 'Dear' }, 'A message you’ve started'],
  ['project-task', { title: 'Measure the door' }, 'A task: “Measure the door”'],
  ['project-update', { body: 'x'.repeat(90) }, `A project update: “${'x'.repeat(79)}…”`],
  ['business', { input: { name: 'Anna’s Bakery' } }, 'A new business: “Anna’s Bakery”'],
  ['fact', { value: 'secret' }, 'Changes to a business'],
  ['plan', { value: 'secret' }, 'Changes to a business plan'],
  ['of-a-newer-version', {}, 'A change'],
];

function cookieOf(id: string, name: string): string {
  const session = { access_token: 'a', refresh_token: 'r', user: { id, name } };
  return [{ name: 'theme', value: 'dark' }, ...encodeSession(session as unknown as Session)]
    .map((each) => `${each.name}=${encodeURIComponent(each.value)}`)
    .join('; ');
}

/** A browser with the shelf of Maria, and what its page without a connection shows. */
function browser() {
  const tab = memoryBrowser().openTab();
  if (!tab.storage) throw new Error('This browser keeps things');
  const { storage } = tab;
  const shelf = createShelf('maria', tab);
  const shown = (cookie = cookieOf('maria', 'Mária')) => waitingHere(PREFIX, storage, cookie);
  return { tab, shelf, shown, storage };
}

describe('Without a connection', () => {
  test.each(KINDS)('%s is shown in words', (kind, body, line) => {
    const { shelf, shown } = browser();
    shelf.put(kind, 'x', body);
    expect(shown()).toEqual([line]);
  });

  test('Answers are counted, and each thing is there once, as it was written last', () => {
    const { shelf, shown } = browser();
    shelf.put('project-task', 't1', { title: 'First' });
    shelf.put('answer', 'a/q1', { value: 1 });
    expect(shown()).toEqual(['A task: “First”', 'One quiz answer']);
    shelf.put('answer', 'a/q1', { value: 2 });
    shelf.put('rating', 'a/web', { rating: 2 });
    shelf.put('project-task', 't1', { title: 'Second' });
    expect(shown()).toEqual(['2 quiz answers', 'A task: “Second”']);
  });

  test('What will never be sent does not wait, and half an entry stops nobody', () => {
    const { shelf, shown, storage } = browser();
    storage.setItem(`${PREFIX}:maria:message:x:000000000000001-tab`, '{"kind":');
    storage.setItem('something-else', '{}');
    shelf.put('message', 'm1', { body: 'Too long' });
    const [kept] = shelf.newest();
    if (kept) shelf.refuse(kept, 'Too long.');
    expect(shown()).toEqual([]);
  });

  test('Nobody sees what somebody else left on this browser', () => {
    const { shelf, shown } = browser();
    shelf.put('message', 'm1', { body: 'For Anna' });
    expect(shown(cookieOf('peter', 'Peter'))).toEqual([]);
    expect(shown('theme=dark')).toBeNull();
    expect(shown('trellis-session=base64-nonsense')).toBeNull();
  });

  test('A session that takes several cookies is read as well', () => {
    const { shelf, shown } = browser();
    shelf.put('finish', 'a', {});
    const cookie = cookieOf('maria', 'M'.repeat(9_000));
    expect(cookie).toContain('trellis-session.2=');
    expect(shown(cookie)).toEqual(['Finishing your quiz']);
  });

  test('It is written into its page as text, and needs nothing else there', () => {
    const { shelf, storage } = browser();
    shelf.put('finish', 'a', {});
    const alone = new Function(
      'prefix',
      'storage',
      'cookie',
      `return (${waitingHere})(prefix, storage, cookie)`,
    );
    expect(alone(PREFIX, storage, cookieOf('maria', 'Maria'))).toEqual(['Finishing your quiz']);
  });

  test('Every kind that can wait has words of its own', async () => {
    const { sendersOf } = await import('#stores/outbox-senders.ts');
    const { pageDeps } = await import('#stores/outbox.ts');
    const kinds = Object.keys(sendersOf(pageDeps, {}));
    const worded = ['answer', 'rating', ...KINDS.map(([kind]) => kind)];
    expect(kinds.filter((kind) => !worded.includes(kind))).toEqual([]);
  });
});
