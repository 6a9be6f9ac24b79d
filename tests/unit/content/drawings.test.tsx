import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { cardColors } from '#integrations/card-colors.ts';
import { type CardWords, cardMaker, cardSize } from '#integrations/og-card.ts';
import { Drawing } from '#ui/drawings/Drawing.tsx';
import { broken, growing, sprig, trellis } from '#ui/drawings/plants.ts';
import { sections } from '#ui/drawings/sections.ts';

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((hit) => hit[1]);
const ids = (markup: string) => found(markup, / id="([^"]+)"/g);

test('Each section has its own drawing, whose parts are named apart and which nobody has to hear', () => {
  const pictures = [...Object.values(sections), broken, growing[4], sprig, trellis];
  const drawn = pictures.map((picture) => renderToStaticMarkup(<Drawing picture={picture} />));
  expect(new Set(drawn).size).toBe(pictures.length);
  expect(drawn.filter((markup) => !markup.includes('aria-hidden="true"'))).toEqual([]);
  const all = drawn.flatMap(ids);
  expect(new Set(all).size).toBe(all.length);
  for (const markup of drawn) {
    const taken = found(markup, / href="#([^"]+)"/g);
    expect(taken.filter((id) => !ids(markup).includes(id))).toEqual([]);
  }
});

test('The icon of the site and its cards have the colors of the tokens, in both themes', () => {
  const icon = readFileSync('public/favicon.svg', 'utf8');
  const [light, dark] = [cardColors(), cardColors(undefined, 'dark')];
  const [lit, unlit = ''] = icon.split('prefers-color-scheme:dark');
  expect(found(lit as string, /(#[0-9a-f]{6})/g)).toEqual(
    ['lattice', 'stem', 'leaf-deep'].map(light),
  );
  expect(found(unlit, /(#[0-9a-f]{6})/g)).toEqual([
    ...['lattice', 'stem', 'leaf-light'].map(dark),
    light('leaf'),
  ]);
  expect(() => light('purple')).toThrow('no color called purple');
});

/** The share of dark pixels in a region of a card, from 0 to 1. */
async function inkedShare(card: Buffer, left: number, top: number, width: number, height: number) {
  const region = sharp(card).extract({ left, top, width, height }).greyscale();
  const { data } = await region.raw().toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 140).length / data.length;
}

test('A title of any length stays on its card, clear of the name below and the drawing beside it', async () => {
  const make = cardMaker();
  const words: CardWords = { title: 'Pricing', product: 'Trellis', tagline: 'Grow the rest.' };
  const long =
    'The business model canvas: nine boxes are easy, the lines between them are all the work';
  const medium = 'The repair shop that was closed on Mondays';
  for (const title of [words.title, medium, long, `${long} in`]) {
    const card = await make({ ...words, title, eyebrow: 'Blog' });
    expect(await sharp(card).metadata()).toMatchObject({ ...cardSize, format: 'png' });
    expect(card.length).toBeLessThan(60_000);
    expect(await inkedShare(card, 72, 130, 700, 280)).toBeGreaterThan(0.01);
    expect(await inkedShare(card, 0, 440, 790, 40)).toBe(0);
    expect(await inkedShare(card, 789, 0, 8, 630)).toBe(0);
    expect(await inkedShare(card, 0, 0, 60, 630)).toBe(0);
  }
});
