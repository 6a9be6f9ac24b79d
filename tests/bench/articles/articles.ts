import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '#backend/local/project-root.ts';
import { writeSearchIndex } from '#integrations/search-index.ts';
import { copySources } from '#server/build.ts';
import type { BenchPart } from '../parts.ts';
import { type Figure, figure } from '../report.ts';
import { COMPONENTS, generatedArticle } from './generated-article.ts';

const FEW = 1_000;
const MANY = 10_000;
/** Budget: the time per page with many articles, relative to few. */
const GROWTH = 1.1;
/** Budget: our build time relative to a bare Astro project's, for the same files. */
const TO_BARE = 1.3;
/** Heap limit for a build, in megabytes. */
const HEAP = 2_048;

/** Written by the build itself when it exits. */
interface Used {
  seconds: number;
  /** CPU time of all its threads. */
  cpuSeconds: number;
  peakMb: number;
  /** Seconds per step of our own, as the build reports them; some run concurrently. */
  steps: Record<string, number>;
}

/** Preloaded into the build, to report its resource usage on exit. */
const WITNESS = `import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread && process.env.BENCH_USED)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpu = userCPUTime + systemCPUTime;
    writeFileSync(process.env.BENCH_USED, JSON.stringify({ maxRSS, cpu }));
  });
`;
const STEP = /\[([\w-]+)\] \d+ (?:pages|pictures)\b.* in (\d+) ms/g;

interface Measured {
  own: Used;
  bare: Used;
  /** Seconds for the search index alone. */
  index: number;
}

async function writeArticles(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const { name, text } = generatedArticle(index);
    await writeFile(path.join(folder, name), text);
  }
}

/** A separate project where Astro builds only the articles. */
async function bareProject(root: string): Promise<void> {
  const files: Record<string, string> = {
    'package.json': '{ "name": "bare", "type": "module" }',
    'astro.config.mjs': `import mdx from '@astrojs/mdx';
export default { integrations: [mdx()], markdown: { syntaxHighlight: false }, devToolbar: { enabled: false } };`,
    'src/content.config.ts': `import { defineCollection } from 'astro/content/config';
import { glob } from 'astro/loaders';
export const collections = { blog: defineCollection({ loader: glob({ base: './content/blog', pattern: '*.mdx' }) }) };`,
    'src/Plain.astro': '<div><slot /></div>',
    'src/pages/blog/[slug].astro': `---
import { getCollection, render } from 'astro:content';
import Plain from '../../Plain.astro';
export async function getStaticPaths() {
  const entries = await getCollection('blog');
  return entries.map((entry) => ({ params: { slug: entry.id }, props: { entry } }));
}
const { entry } = Astro.props;
const { Content } = await render(entry);
const components = { ${COMPONENTS.map((name) => `${name}: Plain`).join(', ')} };
---
<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>{entry.data.title}</title></head>
<body><main><h1>{entry.data.title}</h1><Content site={{}} components={components} /></main></body></html>`,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  const installed = path.join(projectRoot, 'node_modules');
  await mkdir(path.join(root, 'node_modules'));
  for (const name of await readdir(installed)) {
    if (name.startsWith('.')) continue;
    await symlink(path.join(installed, name), path.join(root, 'node_modules', name));
  }
}

async function buildIn(root: string, scratch: string): Promise<Used> {
  const witness = path.join(scratch, 'witness.mjs');
  const used = path.join(scratch, 'used.json');
  await writeFile(witness, WITNESS);
  const from = performance.now();
  const child = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      BENCH_USED: used,
      WITHOUT_SEARCH: '1',
      NODE_OPTIONS: `--import=${witness} --max-old-space-size=${HEAP}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      last = (last + chunk.toString()).slice(-4_000);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - from) / 1_000;
  if (code !== 0) throw new Error(`The build in ${root} ended with ${code}.\n${last}`);
  const { maxRSS, cpu } = JSON.parse(await readFile(used, 'utf8'));
  const steps = [...last.matchAll(STEP)].map(([, name, ms]) => [name, Number(ms) / 1_000]);
  return {
    seconds,
    cpuSeconds: cpu / 1_000_000,
    peakMb: maxRSS / 1_024,
    steps: Object.fromEntries(steps),
  };
}

/**
 * Compares build times of the same articles in our site and in a bare project: the same files and
 * Markdown, but no styles, drawings, lists or feeds. Ours is a fresh copy with empty caches, so it
 * renders its pictures too. The search index, which bare Astro doesn't have, is built afterward and
 * timed separately; a normal build runs it concurrently with other steps.
 */
async function measure(
  count: number,
  scratch: string,
  log: (line: string) => void,
): Promise<Measured> {
  const own = path.join(scratch, `own-${count}`);
  const bare = path.join(scratch, `bare-${count}`);
  await copySources(projectRoot, own);
  await writeArticles(path.join(own, 'content/blog'), count);
  await bareProject(bare);
  await writeArticles(path.join(bare, 'content/blog'), count);
  log(`\nBuilding ${count} articles in a bare project …`);
  const bareUsed = await buildIn(bare, scratch);
  log(`Building ${count} articles in the site …`);
  const ownUsed = await buildIn(own, scratch);
  log(`Indexing ${count} articles for the search …`);
  const from = performance.now();
  await writeSearchIndex(path.join(own, 'dist/client'));
  const index = (performance.now() - from) / 1_000;
  await Promise.all([own, bare].map((folder) => rm(folder, { recursive: true, force: true })));
  return { own: ownUsed, bare: bareUsed, index };
}

const perPage = ({ seconds }: Used, count: number) => (seconds * 1_000) / count;

function figuresOf(count: number, { own, bare, index }: Measured): Figure[] {
  const of = `${count} articles`;
  return [
    figure(`${of}, the site`, own.seconds, 's'),
    figure(`${of}, bare Astro`, bare.seconds, 's'),
    figure(`${of}, the site, a page`, perPage(own, count), 'ms'),
    figure(`${of}, bare Astro, a page`, perPage(bare, count), 'ms'),
    figure(`${of}, the site, processor time`, own.cpuSeconds, 's'),
    figure(`${of}, bare Astro, processor time`, bare.cpuSeconds, 's'),
    figure(`${of}, the site, memory at most`, own.peakMb, 'MB'),
    figure(`${of}, bare Astro, memory at most`, bare.peakMb, 'MB'),
    figure(`${of}, the search index afterwards`, index, 's'),
    ...Object.entries(own.steps).map(([name, value]) =>
      figure(`${of}, of the site's time: ${name}`, value, 's'),
    ),
  ];
}

/** How build times grow with the number of articles. */
export const articles: BenchPart = async ({ scratch, show, log }) => {
  const few = await measure(FEW, scratch, log);
  const many = await measure(MANY, scratch, log);
  const growth = perPage(many.own, MANY) / perPage(few.own, FEW);
  const toBare = many.own.seconds / many.bare.seconds;
  const cpuToBare = many.own.cpuSeconds / many.bare.cpuSeconds;
  const indexed = (many.own.seconds + many.index) / many.bare.seconds;
  show(`Generated articles, built with ${HEAP} MB of heap`, [
    ...figuresOf(FEW, few),
    ...figuresOf(MANY, many),
    figure(`a page among ${MANY} to one among ${FEW}`, growth, 'times', GROWTH),
    figure(`the site to bare Astro at ${MANY}`, toBare, 'times', TO_BARE),
    figure(`the site to bare Astro at ${MANY}, processor time`, cpuToBare, 'times'),
    figure(`the site with its search index to bare Astro at ${MANY}`, indexed, 'times'),
  ]);
};
