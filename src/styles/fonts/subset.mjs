/**
 * Makes `fraunces-headings.woff2`: Fraunces with the glyphs that Latin headings need, the weights
 * that headings use, and one optical size. Run it again after changing any of the three:
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

const source = createRequire(import.meta.url).resolve(
  '@fontsource-variable/fraunces/files/fraunces-latin-standard-normal.woff2',
);

const font = await subsetFont(readFileSync(source), ascii + accents + punctuation, {
  targetFormat: 'woff2',
  // 36 keeps the warmth of the small cut and some of the contrast of the large one.
  variationAxes: { opsz: 36, wght: { min: 480, max: 560 } },
});

writeFileSync(new URL('./fraunces-headings.woff2', import.meta.url), font);
process.stdout.write(`fraunces-headings.woff2: ${font.length} bytes\n`);
