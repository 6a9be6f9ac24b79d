import { describe, expect, test } from 'vitest';
import { QUEUE_PREFIX, unsentHere } from '#lib/browser/unsent-here.ts';
import { encodeSession } from '#lib/session-cookie.ts';
import { KINDS } from '#sync/kinds/index.ts';
import { QueueStorage } from '#sync/queue-storage.ts';
import { memoryBrowser } from '../../fixtures/memory-browser.ts';

const quiz = { attempt_id: 'a', version_id: 'v' };
const answer = { ...quiz, question_key: 'q', value: 1, applies: true, answered_at: 'now' };
const message = { id: 'm', conversationId: 'c', replyTo: null, quote: null };
const task = { id: 't', projectId: 'p', dueOn: '' };
const business = {
  name: 'Anna’s Bakery',
  trading: '',
  postalCode: '',
  helpWanted: '',
  industry: '',
  stage: '',
};

const tool = {
  ...{ slug: '', title: 'Price list', summary: '', type: 'guide', area_key: 'web-design' },
  ...{ practice: null, levels: [], minutes: null, format: '', calculator: null, body_markdown: '' },
};

/** A value that each kind stores, and how the page describes it. */
const EXAMPLES: [kind: string, value: object, line: string][] = [
  ['answer', answer, 'One quiz answer'],
  ['rating', { ...quiz, area_key: 'web', rating: 2, rated_at: 'now' }, 'One quiz answer'],
  ['finish', {}, 'Finishing your quiz'],
  [
    'message',
    { ...message, body: 'See you\n at nine', files: [], brought: [] },
    'A message: “See you at nine”',
  ],
  ['draft', { ...message, body: 'Dear' }, 'A message you’ve started'],
  ['project-task', { ...task, title: 'Measure the door' }, 'A task: “Measure the door”'],
  [
    'project-update',
    { id: 'u', projectId: 'p', body: 'x'.repeat(90) },
    `A project update: “${'x'.repeat(79)}…”`,
  ],
  ['business', { value: business, base: {} }, 'A new business: “Anna’s Bakery”'],
  // As an older version stored it.
  ['business', { id: 'b', input: business, earlier: {} }, 'A new business: “Anna’s Bakery”'],
  ['fact', { value: 'secret', base: { known: [] } }, 'Changes to a business'],
  [
    'tool-copy',
    { value: { title: 'Plan B', body: '' }, base: { revision: 1 } },
    'Changes to your copy of a tool: “Plan B”',
  ],
  [
    'newsletter',
    { value: { subject: 'Bread', preview: '', body: '' }, base: { revision: 1 } },
    'Changes to the newsletter: “Bread”',
  ],
  ['tool-draft', { value: tool, base: { revision: 1 } }, 'Changes to a tool: “Price list”'],
  [
    'quiz-question',
    {
      value: {
        ...{ practice: 'Prices', text: 'Do you know your prices?', help: '', weight: 1 },
        ...{ anchors: ['a', 'b', 'c', 'd', 'e'], action: '', meaning: null },
      },
      base: { revision: 1 },
    },
    'A question of the quiz: “Do you know your prices?”',
  ],
  [
    'quiz-settings',
    { value: { title: 'Skills', areas: [] }, base: { revision: 1 } },
    'Settings of the quiz: “Skills”',
  ],
  [
    'session',
    {
      id: 's',
      engagementId: 'e',
      business: 'Anna’s Bakery',
      timeZone: 'UTC',
      form: {
        day: '2026-11-24',
        time: '14:00',
        minutes: 60,
        kind: 'online',
        place: '',
        outcome: 'completed',
        topics: [],
        summary: 'secret',
        note: 'secret',
        actions: [],
        figures: null,
        next: null,
      },
    },
    'A session with Anna’s Bakery',
  ],
  ['plan', { value: 'secret', base: { revision: 1, editor: 'e' } }, 'Changes to a business plan'],
  [
    'worksheet',
    { value: { cost: 'secret' }, base: { revision: 1 } },
    'Changes to a business’s figures',
  ],
];

const kindOf = (name: string) => KINDS.find((kind) => kind.name === name);

function cookieOf(id: string, name: string): string {
  const session = { access_token: 'a', refresh_token: 'r', user: { id, name } };
  return [{ name: 'theme', value: 'dark' }, ...encodeSession(session)]
    .map((each) => `${each.name}=${encodeURIComponent(each.value)}`)
    .join('; ');
}

/** A browser with Maria's unsent changes; `shown` lists what its offline page shows. */
function browser() {
  const tab = memoryBrowser().openTab();
  if (!tab.storage) throw new Error('This browser keeps things');
  const { storage } = tab;
  const entries = new QueueStorage('maria', tab);
  const put = (name: string, key: string, value: unknown) =>
    entries.put(name, key, value, kindOf(name)?.textOf(value));
  const shown = (cookie = cookieOf('maria', 'Mária')) => unsentHere(QUEUE_PREFIX, storage, cookie);
  return { tab, entries, put, shown, storage };
}

describe('Without a connection', () => {
  test.each(EXAMPLES)('%s is shown in words', (kind, value, line) => {
    const { put, shown } = browser();
    put(kind, 'x', value);
    expect(shown()).toEqual([line]);
  });

  test('What a kind does not hold, or no kind, is a change', () => {
    const { put, shown } = browser();
    put('message', 'x', { body: 7 });
    put('of-a-newer-version', 'y', {});
    expect(shown()).toEqual(['A change']);
  });

  test('Answers are counted, and each thing is there once, as it was written last', () => {
    const { put, shown } = browser();
    put('project-task', 't1', { ...task, title: 'First' });
    put('answer', 'a/q1', answer);
    expect(shown()).toEqual(['A task: “First”', 'One quiz answer']);
    put('answer', 'a/q1', { ...answer, value: 2 });
    put('answer', 'a/q2', answer);
    put('project-task', 't1', { ...task, title: 'Second' });
    expect(shown()).toEqual(['2 quiz answers', 'A task: “Second”']);
  });

  test('What will never be sent does not wait, and half an entry stops nobody', () => {
    const { entries, put, shown, storage } = browser();
    storage.setItem(`${QUEUE_PREFIX}:maria:message:x:000000000000001-tab`, '{"kind":');
    storage.setItem('something-else', '{}');
    put('finish', 'm1', {});
    const [entry] = entries.newest();
    if (entry) entries.refuse(entry, 'Too long.');
    expect(shown()).toEqual([]);
  });

  test('Nobody sees what somebody else left on this browser', () => {
    const { put, shown } = browser();
    put('finish', 'm1', {});
    expect(shown(cookieOf('peter', 'Peter'))).toEqual([]);
    expect(shown('theme=dark')).toBeNull();
    expect(shown('trellis-session=base64-nonsense')).toBeNull();
  });

  test('A session that takes several cookies is read as well', () => {
    const { put, shown } = browser();
    put('finish', 'a', {});
    const cookie = cookieOf('maria', 'M'.repeat(9_000));
    expect(cookie).toContain('trellis-session.2=');
    expect(shown(cookie)).toEqual(['Finishing your quiz']);
  });

  test('It is written into its page as text, and needs nothing else there', () => {
    const { put, storage } = browser();
    put('finish', 'a', {});
    const alone = new Function(
      'prefix',
      'storage',
      'cookie',
      `return (${unsentHere})(prefix, storage, cookie)`,
    );
    expect(alone(QUEUE_PREFIX, storage, cookieOf('maria', 'Maria'))).toEqual([
      'Finishing your quiz',
    ]);
  });

  test('Every kind has an example above', () => {
    const examples = EXAMPLES.map(([kind]) => kind);
    expect(KINDS.map(({ name }) => name).filter((name) => !examples.includes(name))).toEqual([]);
  });
});
