import { expect, test } from 'vitest';
import {
  compareLines,
  draftTroubles,
  isOverdue,
  mediaText,
  periodText,
} from '#domain/admin-tools.ts';

const draft = {
  slug: '',
  title: 'A tool',
  summary: 'A sum.',
  type: 'template',
  area_key: 'web-design',
  practice: null,
  levels: ['starting'],
  minutes: 30,
  format: 'Table',
  calculator: null,
  body_markdown: 'Words.',
  files: [],
  video: null,
  captions: '',
} as const;

test('A whole draft can be published, and what’s missing is said by field', () => {
  expect(draftTroubles(draft)).toEqual({});
  const empty = { ...draft, title: ' ', summary: '', format: '', minutes: null, levels: [] };
  expect(Object.keys(draftTroubles({ ...empty, body_markdown: '\n' })).sort()).toEqual(
    ['body_markdown', 'format', 'levels', 'minutes', 'summary', 'title'].sort(),
  );
  expect(draftTroubles({ ...draft, minutes: 481 })).toHaveProperty('minutes');
  expect(draftTroubles({ ...draft, slug: 'Not/this' })).toHaveProperty('slug');
  expect(draftTroubles({ ...draft, slug: 'price-letter-2' })).toEqual({});
});

const video = { id: 'v', type: 'video/webm', size: 1, seconds: 12, poster: null };

test('A video needs captions that fit it, and a tool of that kind a video or a link', () => {
  const troubles = (part: object) => draftTroubles({ ...draft, ...part });
  expect(troubles({ type: 'video' })).toHaveProperty('video');
  expect(troubles({ type: 'video', body_markdown: 'https://example.org/v' })).toEqual({});
  expect(troubles({ video })).toHaveProperty('captions');
  expect(troubles({ video, captions: 'Words' }).captions).toMatch(/^Captions start with/);
  const captions = (end: string) => `WEBVTT\n\n00:00.000 --> ${end}\nWords`;
  expect(troubles({ video, captions: captions('00:15.000') }).captions).toMatch(/after the video/);
  expect(troubles({ type: 'video', video, captions: captions('00:12.000') })).toEqual({});
  expect(troubles({ files: [{ id: 'f', name: ' ', type: 'text/csv', size: 1 }] })).toHaveProperty(
    'files',
  );
});

test('The files of two versions are compared by name and content', () => {
  expect(mediaText(draft)).toBe('');
  const file = { id: 'f', name: 'Sheet', type: 'text/csv', size: 1 };
  const text = { files: [file], video: { ...video, poster: 'p' }, captions: 'WEBVTT' };
  expect(mediaText(text).split('\n')).toEqual([
    'File: Sheet (text/csv, f)',
    'Video: video/webm, v',
    'Picture of the video: p',
    'Captions:',
    'WEBVTT',
  ]);
});

test('Only published tools are overdue, from the day after', () => {
  const review_due_on = '2026-11-25';
  expect(isOverdue({ state: 'published', review_due_on }, '2026-11-25')).toBe(false);
  expect(isOverdue({ state: 'published', review_due_on }, '2026-11-26')).toBe(true);
  expect(isOverdue({ state: 'archived', review_due_on }, '2026-11-26')).toBe(false);
});

test('A period is said in years where it’s whole ones', () => {
  expect([6, 12, 18, 24].map(periodText)).toEqual(['6 months', 'A year', '18 months', '2 years']);
});

test('Two texts are compared by the lines they have in common', () => {
  const kinds = (a: string, b: string) =>
    compareLines(a, b).map(
      ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`,
    );
  expect(kinds('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
  expect(kinds('a\nb', 'b')).toEqual(['-a', ' b']);
  expect(kinds('same', 'same')).toEqual([' same']);
  // Either text can be put together again.
  const [a, b] = ['one\ntwo\nthree\ntwo', 'two\nthree\nfour\none\ntwo'];
  const lines = compareLines(a, b);
  const side = (left: string) => lines.filter(({ kind }) => kind !== left).map(({ text }) => text);
  expect(side('added').join('\n')).toBe(a);
  expect(side('removed').join('\n')).toBe(b);
});
