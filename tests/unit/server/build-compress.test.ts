import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { precompress } from '#server/build-compress.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = temporaryFolder();

const page = `<p>${'Words that stand there again and again. '.repeat(60)}</p>`;

test('Every text file gets a smaller twin for brotli and one for gzip, in folders too', async () => {
  await mkdir(path.join(folder(), 'about'));
  const names = ['index.html', 'about/index.html', 'feed.xml', 'events.ics', 'app.js'];
  for (const name of names) await writeFile(path.join(folder(), name), page);
  await precompress(folder());
  for (const name of names) {
    const br = await readFile(path.join(folder(), `${name}.br`));
    const gz = await readFile(path.join(folder(), `${name}.gz`));
    expect(brotliDecompressSync(br).toString()).toBe(page);
    expect(gunzipSync(gz).toString()).toBe(page);
    expect(Math.max(br.length, gz.length)).toBeLessThan(page.length / 4);
  }
});

test('What is small, or compressed already, is left alone', async () => {
  await writeFile(path.join(folder(), 'latest.json'), '{"id":"x"}');
  await writeFile(path.join(folder(), 'font.woff2'), page);
  await writeFile(path.join(folder(), 'card.png'), page);
  await precompress(folder());
  expect((await readdir(folder())).sort()).toEqual(['card.png', 'font.woff2', 'latest.json']);
});
