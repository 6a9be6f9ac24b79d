import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const tokens = readFileSync(new URL('../../../src/styles/tokens.css', import.meta.url), 'utf8');
const head = readFileSync(new URL('../../../src/layouts/Head.astro', import.meta.url), 'utf8');

type Theme = 'light' | 'dark';
type Rgb = [number, number, number];

/** Reads `--color-<name>` of one theme. */
function token(name: string, theme: Theme): string {
  const value = new RegExp(`--color-${name}:\\s*([^;]+);`).exec(tokens)?.[1];
  if (value === undefined) throw new Error(`tokens.css has no --color-${name}`);
  const both = /^light-dark\((oklch\([^)]+\)),\s*(oklch\([^)]+\))\)$/.exec(value.trim());
  return (both ? both[theme === 'light' ? 1 : 2] : value.trim()) as string;
}

/** OKLCH to linear sRGB, by the matrices of CSS Color 4. */
function linear(value: string): Rgb {
  const parts = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value);
  if (!parts) throw new Error(`${value} is not written as oklch(l c h)`);
  const [l, c, h] = parts.slice(1).map(Number) as Rgb;
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb: Rgb = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
  return rgb.map((channel) => Math.min(Math.max(channel, 0), 1)) as Rgb;
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** The contrast of WCAG 2.2 between two tokens, from 1 to 21. */
function contrast(one: string, other: string, theme: Theme): number {
  const [a, b] = [one, other].map((name) => luminance(linear(token(name, theme)))) as [
    number,
    number,
  ];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const grounds = ['paper', 'surface', 'raised'];
const words: [text: string, on: string[]][] = [
  ['ink', [...grounds, 'primary-soft', 'danger-soft', 'caution-soft']],
  ['muted', [...grounds, 'primary-soft', 'danger-soft', 'caution-soft']],
  ['primary', [...grounds, 'primary-soft']],
  ['primary-strong', [...grounds, 'primary-soft']],
  ['danger', [...grounds, 'danger-soft']],
  ['caution', [...grounds, 'caution-soft']],
  ['primary-ink', ['primary', 'primary-strong']],
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

  test("the browser's own bars have the colour of the paper", () => {
    const colour = new RegExp(`content="(#[0-9a-f]{6})"[^>]*data-for="${theme}"`).exec(head)?.[1];
    const encode = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
    const hex = linear(token('paper', theme)).map((channel) =>
      Math.round(encode(channel) * 255)
        .toString(16)
        .padStart(2, '0'),
    );
    expect(colour).toBe(`#${hex.join('')}`);
  });
});

test('Raw colours stand in tokens.css only', () => {
  const base = readFileSync(new URL('../../../src/styles/base.css', import.meta.url), 'utf8');
  expect(base).not.toMatch(/oklch\(|rgba?\(|hsla?\(|#[0-9a-f]{3,8}\b/i);
});
