/**
 * Builds `fraunces-headings.woff2`: Fraunces with the glyphs that Latin headings need, the weights
 * that headings use, and one optical size; `figtree-cards.woff2`: one weight of Figtree for
 * link-preview images, whose renderer doesn't support variable fonts; and `report-*.ttf`, what the
 * PDF of results embeds, for the same reason. Run it again after changing any of these:
 * `npx node src/styles/fonts/subset.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

const ascii = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i)).join(
  '',
);
const accents = 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ';
const punctuation = '‘’“”–—…·×−€£¢©®°½→\u00a0';

const { resolve } = createRequire(import.meta.url);

async function make(name, from, variationAxes, targetFormat = 'woff2') {
  const font = await subsetFont(readFileSync(resolve(from)), ascii + accents + punctuation, {
    targetFormat,
    variationAxes,
  });
  writeFileSync(new URL(name, import.meta.url), font);
  process.stdout.write(`${name}: ${font.length} bytes\n`);
}

// Optical size 36 keeps the warmth of the small cut and some of the contrast of the large one.
await make(
  'fraunces-headings.woff2',
  '@fontsource-variable/fraunces/files/fraunces-latin-standard-normal.woff2',
  { opsz: 36, wght: { min: 480, max: 560 } },
);
await make(
  'figtree-cards.woff2',
  '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  { wght: 500 },
);
for (const [name, wght] of [
  ['report-text.ttf', 400],
  ['report-strong.ttf', 600],
]) {
  await make(
    name,
    '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
    { wght },
    'truetype',
  );
}
await make(
  'report-title.ttf',
  '@fontsource-variable/fraunces/files/fraunces-latin-standard-normal.woff2',
  { opsz: 36, wght: 540 },
  'truetype',
);
