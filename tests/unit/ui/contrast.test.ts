import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cardColors } from '#integrations/card-colors.ts';

const source = (path: string) =>
  readFileSync(new URL(`../../../src/${path}`, import.meta.url), 'utf8');

type Theme = 'light' | 'dark';

/** The relative luminance (WCAG 2.2) of a color token, from 0 to 1. */
function luminance(name: string, theme: Theme): number {
  const color = cardColors(undefined, theme)(name);
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast ratio (WCAG 2.2) between two tokens, from 1 to 21. */
function contrast(one: string, other: string, theme: Theme): number {
  const [a, b] = [luminance(one, theme), luminance(other, theme)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const grounds = ['paper', 'surface', 'raised'];
/** Behind a person's initials. */
const people = [1, 2, 3, 4, 5, 6].map((n) => `person-${n}`);
const words: [text: string, on: string[]][] = [
  ['ink', [...grounds, 'primary-soft', 'danger-soft', 'caution-soft']],
  ['muted', [...grounds, 'primary-soft', 'danger-soft', 'caution-soft']],
  ['primary', [...grounds, 'primary-soft']],
  ['primary-strong', [...grounds, 'primary-soft']],
  ['danger', [...grounds, 'danger-soft']],
  ['caution', [...grounds, 'caution-soft']],
  ['primary-ink', ['primary', 'primary-strong', ...people]],
  ['paper', ['ink']],
  ['level-starting-ink', grounds],
  ['level-developing-ink', grounds],
  ['level-established-ink', grounds],
  ['level-strong-ink', grounds],
];

describe.each<Theme>(['light', 'dark'])('In the %s theme', (theme) => {
  test.each(words.flatMap(([text, on]) => on.map((ground) => [text, ground] as const)))(
    'a person can read %s on %s (4.5:1)',
    (text, ground) => {
      expect(contrast(text, ground, theme)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each([
    ['edge', 'surface'],
    ['edge', 'paper'],
    ['focus', 'paper'],
    ['focus', 'surface'],
    ['focus', 'raised'],
  ])('a person can see where %s begins on %s (3:1)', (edge, ground) => {
    expect(contrast(edge, ground, theme)).toBeGreaterThanOrEqual(3);
  });

  test("the browser's own bars have the color of the paper", () => {
    const bar = new RegExp(`content="(#[0-9a-f]{6})"[^>]*data-for="${theme}"`);
    expect(bar.exec(source('layouts/Head.astro'))?.[1]).toBe(cardColors(undefined, theme)('paper'));
  });
});

test('Raw colors stand in tokens.css only', () => {
  expect(source('styles/base.css')).not.toMatch(/oklch\(|rgba?\(|hsla?\(|#[0-9a-f]{3,8}\b/i);
});
