import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { type Said, talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { people, ids, ask } = world;
const { owner, colleague, otherOwner, coach, admin } = people;
const { talk, direct, engagement } = await talksIn(world);

test('Every word as a beginning, in what one may read, the newest first', async () => {
  await talk.say(owner, engagement, 'The invoice of March is overdue, see ruth@example.org');
  await talk.say(coach, engagement, 'Which INVOICE? Ask for the Märzrechnung 2026-03');
  await talk.say(owner, direct, 'Invoices: nothing for the coach to see');
  const found = async (who: Person, words: string) =>
    (await ask(who, 'search_messages($1)', [words])).map(({ seq }: Said) => seq).length;
  expect(await found(coach, 'invoi')).toBe(2);
  expect(await found(owner, 'invoi')).toBe(3);
  expect(await found(colleague, 'invoi')).toBe(1);
  expect(await found(owner, 'overd marc')).toBe(1);
  expect(await found(owner, 'märz')).toBe(1);
  expect(await found(owner, 'ruth@example.org')).toBe(1);
  expect(await found(owner, engagement)).toBe(0);
  for (const who of [admin, otherOwner]) expect(await found(who, 'invoice')).toBe(0);
  const [hit] = await ask(owner, 'search_messages($1)', ['overdue']);
  expect(hit).toMatchObject({
    conversation_id: engagement,
    title: 'Coaching: Alder Bakery',
    author_name: 'Olive Owner',
    excerpt: 'The invoice of March is overdue, see ruth@example.org',
  });
  // An excerpt from the middle of a message starts with an ellipsis.
  await talk.say(
    owner,
    direct,
    `${Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ')} quince`,
  );
  const [later] = await ask(owner, 'search_messages($1)', ['quince']);
  expect(later.excerpt).toMatch(/^… .*word59 quince$/);
  const page = await ask(owner, 'search_messages($1, null, 2)', ['invoi']);
  expect(page).toHaveLength(2);
  const rest = await ask(owner, 'search_messages($1, $2, 2)', ['invoi', page[1].sent_at]);
  expect(rest).toHaveLength(1);
});

test('The id of a conversation is none of its words', async () => {
  const id = `beef${crypto.randomUUID().slice(4)}`;
  const project = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3)', [project, ids.alder, 'Soup']);
  await ask(owner, 'open_conversation($1, $2, $3)', [id, 'project', project]);
  await talk.say(colleague, id, 'Chicken');
  const found = await ask(owner, 'search_messages($1)', ['beef']);
  expect(found).toEqual([]);
  expect(await ask(owner, 'search_messages($1)', ['chick'])).toHaveLength(1);
});

test('What looks like a query is only words', async () => {
  for (const words of [
    '',
    '   ',
    "'",
    "' | !",
    '&&',
    ':*',
    'a:*b',
    "o'neill",
    '(((',
    '\\',
    '<->',
  ]) {
    expect(Array.isArray(await ask(owner, 'search_messages($1)', [words])), words).toBe(true);
  }
});
