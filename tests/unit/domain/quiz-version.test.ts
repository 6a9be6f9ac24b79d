import { expect, test } from 'vitest';
import { type ComparedVersion, changesBetween, changesSummary } from '#domain/quiz-version.ts';

const question = (key: string, part: object = {}) => ({
  ...{ key, area_key: 'web', practice: key, text: 'Q?', help: null, weight: 1, action: 'Do it.' },
  anchors: ['a', 'b', 'c', 'd', 'e'],
  ...part,
});

const version = (part: Partial<ComparedVersion> = {}): ComparedVersion => ({
  title: 'Skills',
  areas: [{ key: 'web', name: 'Web', importance: 1, first_look: 'web.a', skip: null }],
  questions: [question('web.a'), question('web.b'), question('web.c')],
  ...part,
});

test('Two versions that are the same have no changes', () => {
  expect(changesBetween(version(), version())).toEqual([]);
  // No help is the same whether it's null or empty.
  const empty = version({ questions: version().questions.map((each) => ({ ...each, help: '' })) });
  expect(changesBetween(version(), empty)).toEqual([]);
  expect(changesSummary([])).toBe('Nothing changed');
});

test('Each field that differs is named, with what it was and what it is', () => {
  const after = version({
    questions: [
      question('web.a', {
        text: 'New?',
        anchors: ['a', 'b', 'C', 'd', 'e'],
        weight: 1.5,
        meaning: 'new',
      }),
      question('web.b'),
      question('web.d', { help: 'Help' }),
    ],
  });
  const changes = changesBetween(version(), after);
  expect(changes.map(({ key, kind }) => [key, kind])).toEqual([
    ['web.a', 'changed'],
    ['web.d', 'added'],
    ['web.c', 'removed'],
  ]);
  expect(changes[0]?.fields).toEqual([
    { label: 'Question', before: 'Q?', after: 'New?' },
    { label: 'Answer 2', before: 'c', after: 'C' },
    { label: 'Weight', before: '1', after: '1.5' },
    { label: 'Meaning', before: 'as before', after: 'new: earlier answers aren’t compared' },
  ]);
  expect(changesSummary(changes)).toBe('1 question added, 1 question changed, 1 question removed');
});

test('The title, an area’s settings and the order are changes, too', () => {
  const after = version({
    title: 'Business skills',
    areas: [
      {
        ...{ key: 'web', name: 'Web', importance: 3, first_look: 'web.b' },
        skip: { question: 'Do you have a site?', help: null },
      },
    ],
    questions: [question('web.c'), question('web.a'), question('web.b')],
  });
  const changes = changesBetween(version(), after);
  expect(changes.map(({ key }) => key)).toEqual(['title', 'web']);
  expect(changes[1]?.fields).toEqual([
    { label: 'Importance', before: '1', after: '3' },
    { label: 'In the first look', before: 'web.a', after: 'web.b' },
    { label: 'Question that skips it', before: null, after: 'Do you have a site?' },
    { label: 'Order', before: 'web.a, web.b, web.c', after: 'web.c, web.a, web.b' },
  ]);
  expect(changesSummary(changes)).toBe('The title or an area’s settings changed');
});
