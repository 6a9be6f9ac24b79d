import { expect, test } from 'vitest';
import { quoteWords, titleOf } from '#domain/message.ts';

const people = new Map([['carl', { name: 'Carl Finch' }]]);

test.each([
  ['a text', { author_id: 'carl', excerpt: 'Twelve' }, 'Carl Finch', 'Twelve'],
  ['files alone', { author_id: 'carl', excerpt: '' }, 'Carl Finch', 'A file'],
  ['a deleted account', { author_id: null, excerpt: 'Twelve' }, 'Deleted account', 'Twelve'],
  [
    'a deleted message',
    { author_id: 'carl', excerpt: null, removed: true },
    'Carl Finch',
    'This message was deleted.',
  ],
  ['what is withheld', { author_id: null, excerpt: '' }, 'An earlier message', null],
])('A quote of %s says who and what', (_, quoted, name, text) => {
  expect(quoteWords({ removed: false, ...quoted }, people)).toEqual({ name, text });
});

test('A coach tells conversations apart by their businesses, and an owner by what they are about', () => {
  const subject = { kind: 'engagement', name: 'Wren Tools' };
  const about = (role: string) => ({ title: 'Coaching: Wren Tools', subject, people: [{ role }] });
  expect(titleOf(about('owner'))).toBe('Wren Tools');
  expect(titleOf(about('coach'))).toBe('Coaching: Wren Tools');
  expect(titleOf({ ...about('owner'), title: 'Support', subject: null })).toBe('Support');
});
