/**
 * The Open Graph image that other sites show with a link: 1200 by 630 pixels, with text as outlines
 * so that it looks the same everywhere.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import satori from 'satori';
import sharp from 'sharp';
import type { LeafSpec } from '../ui/drawings/Drawing.tsx';
import {
  bloomPetal,
  bloomPetals,
  leafShape,
  leafVein,
  mark,
  petals,
} from '../ui/drawings/shapes.ts';

import { cardColors } from './card-colors.ts';

export const cardSize = { width: 1200, height: 630 };

export interface CardWords {
  title: string;
  /** The line above the title: the section or the kind of page. */
  eyebrow?: string;
  product: string;
  tagline: string;
  /** A skill area's position in the bloom, 1 to 8, draws its flower; otherwise a vine. */
  area?: number;
  /** The page's chart, which is shown instead of the flower or vine. */
  chart?: CardChart;
}

/** A chart of bars, as the page draws it. */
export interface CardChart {
  title: string;
  /** At most four: more would be too small to read. */
  rows: {
    label: string;
    value: string;
    /** Where the bar begins and how long it is, from 0 to 100. */
    x: number;
    width: number;
    /** The role of its color. */
    fill: string;
  }[];
}

type Color = (role: string) => string;
interface Element {
  type: string;
  props: { style?: object; src?: string; width?: number; height?: number; children?: unknown };
}

const svg = (width: number, height: number, viewBox: string, inner: string) =>
  `data:image/svg+xml;base64,${Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}" fill="none" stroke-linecap="round">${inner}</svg>`,
  ).toString('base64')}`;

/** The trellis at the right edge of a card, 420 by 630; a vine or a flower grows on it. */
const bars = (color: Color) =>
  `<path d="${[60, 170, 280, 390, 500].map((y) => `M24 ${y}H440`).join('')}${[70, 180, 290, 400]
    .map((x) => `M${x} -10V640`)
    .join('')}" stroke="${color('lattice')}" stroke-width="11"/>`;

const STEM =
  'M250 650C248 635 253 593 236 560S150 485 150 450S238 383 236 350S143 282 140 250S210 189 220 160S203 92 200 78';
const LEAVES: LeafSpec[] = [
  { x: 240, y: 570, turn: -60, size: 2.6, tone: 'mid', flip: true },
  { x: 175, y: 494, turn: -185, size: 2.5, tone: 'light' },
  { x: 169, y: 419, turn: 10, size: 2.6, tone: 'deep', flip: true },
  { x: 234, y: 360, turn: -15, size: 2.3, tone: 'light', flip: true },
  { x: 174, y: 289, turn: -195, size: 2.4, tone: 'mid' },
  { x: 154, y: 222, turn: 5, size: 2.5, tone: 'deep', flip: true },
  { x: 220, y: 160, turn: -125, size: 2, tone: 'light' },
  { x: 218, y: 123, turn: -55, size: 2, tone: 'mid', flip: true },
];

function grownVine(color: Color): string {
  const fills = { deep: 'leaf-deep', mid: 'leaf', light: 'leaf-light' } as const;
  const leaves = LEAVES.map(
    ({ x, y, turn, size, tone, flip }) =>
      `<g transform="translate(${x} ${y})rotate(${turn})scale(${size} ${flip ? -size : size})"><path d="${leafShape}" fill="${color(fills[tone])}"/><path d="${leafVein}" stroke="${color('vein')}"/></g>`,
  );
  const flower = petals.map(({ cx, cy }) => `<circle cx="${cx}" cy="${cy}" r="4.7"/>`).join('');
  return [
    `<path d="${STEM}" stroke="${color('stem')}" stroke-width="9"/>`,
    ...leaves,
    `<g transform="translate(200 70)scale(4)"><g fill="${color('accent')}">${flower}</g><circle r="3" fill="${color('clay')}"/></g>`,
  ].join('');
}

const areaBloom = (color: Color, area: number) =>
  `<g transform="translate(224 280)scale(4)" stroke="${color('paper')}" stroke-width="2.5"><path d="${bloomPetals}" fill="${color('line')}"/><path d="${bloomPetal}" fill="${color('leaf')}" transform="rotate(${(area - 1) * 45})"/><circle r="5" fill="${color('accent')}"/></g>`;

const brandMark = (color: Color) =>
  `<path d="${mark.lattice}" stroke="${color('lattice')}" stroke-width="2"/><path d="${mark.stem}" stroke="${color('stem')}" stroke-width="2.4"/><path d="${mark.left}" fill="${color('leaf-deep')}"/><path d="${mark.right}" fill="${color('leaf')}"/>`;

/** Font size that keeps a title within four lines: the longer, the smaller. */
const titleSize = (title: string) => (title.length <= 34 ? 88 : title.length <= 60 ? 72 : 60);

const box = (style: object, children: unknown): Element => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
});
const image = (src: string, width: number, height: number, style: object = {}): Element => ({
  type: 'img',
  props: { src, width, height, style },
});

/** A chart in its frame, 400 pixels wide: each row has its label and value above its bar. */
function chartPanel({ title, rows }: CardChart, color: Color): Element {
  const row = ({ label, value, x, width, fill }: CardChart['rows'][number]) =>
    box({ flexDirection: 'column', marginTop: 20 }, [
      box({ justifyContent: 'space-between', alignItems: 'flex-end', fontSize: 24 }, [
        box({ maxWidth: 220, lineHeight: 1.15, color: color('muted') }, label),
        box({}, value),
      ]),
      box(
        {
          position: 'relative',
          marginTop: 8,
          width: 336,
          height: 18,
          backgroundColor: color('petal'),
        },
        [
          box(
            {
              position: 'absolute',
              left: (336 * x) / 100,
              width: (336 * width) / 100,
              height: 18,
              backgroundColor: color(fill),
            },
            '',
          ),
        ],
      ),
    ]);
  return box(
    { position: 'absolute', right: 48, top: 0, width: 400, height: 630, alignItems: 'center' },
    box(
      {
        flexDirection: 'column',
        width: 400,
        padding: '30px 32px 36px',
        borderRadius: 24,
        border: `2px solid ${color('line')}`,
        backgroundColor: color('surface'),
      },
      [box({ fontSize: 28, lineHeight: 1.2, textWrap: 'balance' }, title), ...rows.map(row)],
    ),
  );
}

export function card(words: CardWords, color: Color): Element {
  const { title, eyebrow, product, tagline, area, chart } = words;
  const grower = chart ? '' : area ? areaBloom(color, area) : grownVine(color);
  const grown = bars(color) + grower;
  return box(
    { ...cardSize, background: color('paper'), fontFamily: 'Figtree', color: color('ink') },
    [
      image(svg(420, 630, '0 0 420 630', grown), 420, 630, {
        position: 'absolute',
        right: 0,
        top: 0,
      }),
      ...(chart ? [chartPanel(chart, color)] : []),
      box(
        {
          flexDirection: 'column',
          justifyContent: 'space-between',
          width: 716,
          padding: '64px 0 60px 72px',
        },
        [
          box({ flexDirection: 'column' }, [
            box({ fontSize: 34, color: color('primary'), minHeight: 48 }, eyebrow ?? ''),
            box(
              {
                marginTop: 16,
                fontFamily: 'Fraunces',
                fontSize: titleSize(title),
                lineHeight: 1.1,
                letterSpacing: '-0.01em',
                textWrap: 'balance',
              },
              title,
            ),
          ]),
          box({ alignItems: 'center' }, [
            image(svg(64, 64, '0 0 32 32', brandMark(color)), 64, 64),
            box({ marginLeft: 18, fontFamily: 'Fraunces', fontSize: 40 }, product),
            box(
              {
                marginLeft: 24,
                fontSize: 26,
                lineHeight: 1.25,
                maxWidth: 400,
                textWrap: 'balance',
                color: color('muted'),
              },
              tagline,
            ),
          ]),
        ],
      ),
    ],
  );
}

const fontsOf = (folder: string) => {
  const font = (file: string) => readFileSync(join(folder, 'src/styles/fonts', file));
  return [
    { name: 'Fraunces', data: font('fraunces-headings.woff2') },
    { name: 'Figtree', data: font('figtree-cards.woff2') },
  ];
};

/** Returns a PNG renderer that uses the fonts and colors of the project in `folder`. */
export function cardMaker(folder = process.cwd()): (words: CardWords) => Promise<Buffer> {
  const color = cardColors(folder);
  const fonts = fontsOf(folder);
  return async (words) => {
    const drawn = await satori(card(words, color) as Parameters<typeof satori>[0], {
      ...cardSize,
      fonts,
    });
    // 64 colors are enough: the areas are flat, and the edges of letters need few shades. Dithering
    // would only cost time and bytes.
    return sharp(Buffer.from(drawn))
      .png({ palette: true, colors: 64, dither: 0, effort: 1 })
      .toBuffer();
  };
}

/** The logo (mark and name) as SVG outlines, for a light or dark background. */
export function logo(
  product: string,
  theme: 'light' | 'dark',
  folder = process.cwd(),
): Promise<string> {
  const color = cardColors(folder, theme);
  const drawn = box({ alignItems: 'center', padding: 16, color: color('ink') }, [
    image(svg(96, 96, '0 0 32 32', brandMark(color)), 96, 96),
    box({ marginLeft: 24, fontFamily: 'Fraunces', fontSize: 72 }, product),
  ]);
  return satori(drawn as Parameters<typeof satori>[0], { height: 128, fonts: fontsOf(folder) });
}
