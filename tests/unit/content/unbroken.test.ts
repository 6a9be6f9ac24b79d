import { expect, test } from 'vitest';
import { MOST, unbroken } from '#lib/content/unbroken.ts';

/** The pieces that a line can end between. */
const pieces = (text: string) =>
  unbroken(text)
    .split(' ')
    .map((piece) => piece.replaceAll('\u00a0', ' '));

test.each([
  ['by March 11. Owner calls', ['by', 'March 11.', 'Owner', 'calls']],
  ['January 31 to the person', ['January 31', 'to', 'the', 'person']],
  ['Schedule out, 4 weeks of 4', ['Schedule', 'out,', '4 weeks', 'of 4']],
  ['Wednesday, 8 a.m.', ['Wednesday,', '8 a.m.']],
  ['Tuesday to Friday 10 to 6', ['Tuesday', 'to', 'Friday 10 to 6']],
  ['State tax, here at 1%', ['State', 'tax,', 'here', 'at 1%']],
  ['11% al año', ['11%', 'al', 'año']],
  ['Semana 1', ['Semana 1']],
  ['up to $5 million, and', ['up', 'to $5 million,', 'and']],
  ['15,000 ÷ 84,000 × 365', ['15,000', '÷ 84,000 × 365']],
  ['2 × 8', ['2 × 8']],
  ['The 10th', ['The 10th']],
])('“%s” breaks only where it can be read', (text, expected) => {
  expect(pieces(text)).toEqual(expected);
});

test('Words without numbers, spaces at the ends and an empty text stay as they are', () => {
  for (const text of ['', ' ', 'You set the hours', ' and then ', '45%'])
    expect(unbroken(text)).toBe(text);
});

test('No piece is wider than a column is', () => {
  const text = 'September 10 to 30, 1,000,000 caregivers and 2 × 3 × 4 × 5 × 6 × 7';
  for (const piece of pieces(text)) expect(piece.length).toBeLessThanOrEqual(MOST);
});
