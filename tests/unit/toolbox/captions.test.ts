import { expect, test } from 'vitest';
import {
  captionCues,
  captionsTrouble,
  cleanCaptions,
  lengthText,
  MOST_CAPTIONS,
  transcriptOf,
} from '#domain/captions.ts';
import { badCaptions, goodCaptions } from '../../fixtures/captions.ts';

const troubleOf = (text: string, seconds: number | null = 12) =>
  captionsTrouble(cleanCaptions(text), seconds);

test('Captions that players read are accepted, whatever wrote them', () => {
  for (const text of goodCaptions) expect(troubleOf(text), text).toBeNull();
});

test('What’s wrong with captions is said with its line', () => {
  expect(badCaptions.map((text) => troubleOf(text))).toEqual([
    ...Array(4).fill('Captions start with a line that says WEBVTT, and an empty one.'),
    ...Array(4).fill('Line 3: write the times like 00:01.000 --> 00:04.500.'),
    'Line 3: the caption ends before it starts.',
    'Line 6: the caption starts before the one above it.',
    'Line 3: a caption has no words.',
    'Line 3: a caption has no words.',
    'Line 3: the caption ends after the video, which is 12 seconds long.',
    'There are no captions in this file.',
  ]);
  // Nobody knows how long it is.
  expect(troubleOf(badCaptions.at(-2) ?? '', null)).toBeNull();
});

test('Captions are read without their markup', () => {
  expect(captionCues(cleanCaptions(goodCaptions[1] ?? ''))).toEqual([
    { start: 0, end: 2, text: 'Fish & chips\nand peas' },
    { start: 11, end: 12.9, text: 'Music' },
  ]);
});

test('A transcript has a new paragraph after a pause and after a long one', () => {
  expect(transcriptOf(cleanCaptions(goodCaptions[0] ?? ''))).toEqual([
    'Write down what you sell. Then what it costs you.',
    'And what’s left.',
  ]);
  const cue = (second: number) =>
    `00:${String(second).padStart(2, '0')}.000 --> 00:${String(second + 1).padStart(2, '0')}.000\n${'Words and words. '.repeat(6)}`;
  const long = `WEBVTT\n\n${Array.from({ length: 10 }, (_, index) => cue(index)).join('\n\n')}`;
  const paragraphs = transcriptOf(cleanCaptions(long));
  expect(paragraphs.length).toBe(3);
  expect(paragraphs.join(' ')).toBe('Words and words. '.repeat(60).trim());
});

test('The longest captions are read in a moment, whatever is in them', () => {
  const most = MOST_CAPTIONS - 100;
  const signs = `WEBVTT\n\n00:00.000 --> 00:01.000\n${'<'.repeat(most)}`;
  expect(transcriptOf(signs)).toEqual(['<'.repeat(most)]);
  const spaces = `WEBVTT${' '.repeat(most)}x`;
  expect(cleanCaptions(spaces)).toBe(spaces);
  expect(cleanCaptions(`\ufeff\n WEBVTT${' '.repeat(most)}`)).toBe('WEBVTT');
});

test('A length is said in minutes, and in hours if it takes that long', () => {
  expect([5, 65, 3599.6, 3725].map(lengthText)).toEqual(['0:05', '1:05', '1:00:00', '1:02:05']);
});
