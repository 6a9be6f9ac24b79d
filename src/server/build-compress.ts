import { promises as fs } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

const COMPRESSIBLE = /\.(html|css|js|mjs|json|svg|xml|txt|ics|webmanifest)$/;
/** Smaller files fit in one packet even uncompressed. */
const WORTH_IT = 512;
/**
 * Up to this many bytes, a build gets Brotli's best quality everywhere (about 12 s). Above it, only
 * files that browsers cache forever do.
 */
const THOROUGH_UP_TO = 24_000_000;
const BEST = 11;
const QUICK = 8;
/** Files whose names contain a content hash. */
const KEPT_FOR_GOOD = /^_astro\//;

async function sizeOf(file: string): Promise<number> {
  return (await fs.stat(file)).size;
}

async function compress(file: string, quality: number): Promise<void> {
  const content = await fs.readFile(file);
  const params = {
    [zlib.BROTLI_PARAM_QUALITY]: quality,
    [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
    [zlib.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  // Both run in Node's thread pool, in parallel with each other and with other files.
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([fs.writeFile(`${file}.br`, br), fs.writeFile(`${file}.gz`, gz)]);
}

/** Writes .br and .gz next to every text file, so that no request waits for compression. */
export async function precompress(folder: string): Promise<void> {
  const names = (await fs.readdir(folder, { recursive: true })).filter((name) =>
    COMPRESSIBLE.test(name),
  );
  const files: { name: string; size: number }[] = [];
  for (const name of names) {
    const size = await sizeOf(path.join(folder, name));
    if (size >= WORTH_IT) files.push({ name, size });
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const qualityOf = (name: string) =>
    total <= THOROUGH_UP_TO || KEPT_FOR_GOOD.test(name) ? BEST : QUICK;
  // Largest first, so that no thread is left with a big file at the end.
  const waiting = files.toSorted((a, b) => a.size - b.size);
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await compress(path.join(folder, next.name), qualityOf(next.name));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
