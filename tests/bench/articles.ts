import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeSearchIndex } from '#integrations/search-index.ts';
import { copySources } from '#server/build.ts';
import { projectRoot } from '#server/settings.ts';
import { COMPONENTS, generatedArticle } from './generated-article.ts';
import type { BenchPart } from './parts.ts';
import type { Figure } from './report.ts';

const FEW = 1_000;
const MANY = 10_000;
/** A page among many may cost this much more than a page among few. */
const GROWTH = 1.1;
/** And this much more than a bare Astro project makes of the same files. */
const TO_BARE = 1.3;
/** Megabytes of heap that a build is given. */
const HEAP = 2_048;

/** Written when the build ends, by the build itself. */
interface Used {
  seconds: number;
  /** Processor time of all its threads. */
  cpuSeconds: number;
  peakMb: number;
  /** Seconds of the steps that are ours, by name, as the build tells them; several run at once. */
  steps: Record<string, number>;
}

/** Loaded into the build: says at its end what it has used. */
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
  /** Seconds that the search index takes by itself. */
  index: number;
}

async function writeArticles(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const { name, text } = generatedArticle(index);
    await writeFile(path.join(folder, name), text);
  }
}

/** A project of its own in which Astro builds nothing but the articles. */
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
  const { maxRSS, cpu } = JSON.parse(await readFile(used, 'utf8')) as {
    maxRSS: number;
    cpu: number;
  };
  const steps = [...last.matchAll(STEP)].map(([, name, ms]) => [name, Number(ms) / 1_000]);
  return {
    seconds,
    cpuSeconds: cpu / 1_000_000,
    peakMb: maxRSS / 1_024,
    steps: Object.fromEntries(steps),
  };
}

/**
 * How long the same articles take in our site and in a project with a bare layout: the same files, the same
 * Markdown, no styles, no drawings, no lists, no feeds. Ours is a fresh copy with empty caches, so that its
 * pictures are drawn too. The search index, which bare Astro has no word for, is made afterwards and timed
 * by itself; a build of the site makes it beside other steps.
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

/** What a build costs as articles become many. */
export const articles: BenchPart = async ({ scratch, print, log }) => {
  const few = await measure(FEW, scratch, log);
  const many = await measure(MANY, scratch, log);
  const perPage = ({ seconds }: Used, count: number) => (seconds * 1_000) / count;
  /** Processor time that each article beyond the first thousand costs, and what is left for the rest. */
  const perArticle = (which: 'own' | 'bare') =>
    (many[which].cpuSeconds - few[which].cpuSeconds) / (MANY - FEW);
  const besides = few.own.cpuSeconds - perArticle('own') * FEW;
  const rows = (count: number, { own, bare, index }: Measured): Figure[] => [
    { what: `${count} articles, the site`, value: own.seconds, unit: 's' },
    { what: `${count} articles, bare Astro`, value: bare.seconds, unit: 's' },
    { what: `${count} articles, the site, a page`, value: perPage(own, count), unit: 'ms' },
    { what: `${count} articles, bare Astro, a page`, value: perPage(bare, count), unit: 'ms' },
    { what: `${count} articles, the site, processor time`, value: own.cpuSeconds, unit: 's' },
    { what: `${count} articles, bare Astro, processor time`, value: bare.cpuSeconds, unit: 's' },
    { what: `${count} articles, the site, memory at most`, value: own.peakMb, unit: 'MB' },
    { what: `${count} articles, bare Astro, memory at most`, value: bare.peakMb, unit: 'MB' },
    { what: `${count} articles, the search index afterwards`, value: index, unit: 's' },
    ...Object.entries(own.steps).map(
      ([name, value]): Figure => ({
        what: `${count} articles, of the site's time: ${name}`,
        value,
        unit: 's',
      }),
    ),
  ];
  const title = `Generated articles, built with ${HEAP} MB of heap`;
  const figures: Figure[] = [
    ...rows(FEW, few),
    ...rows(MANY, many),
    {
      what: `a page among ${MANY} to one among ${FEW}`,
      value: perPage(many.own, MANY) / perPage(few.own, FEW),
      unit: 'times',
      budget: GROWTH,
    },
    {
      what: `the site to bare Astro at ${MANY}`,
      value: many.own.seconds / many.bare.seconds,
      unit: 'times',
      budget: TO_BARE,
    },
    {
      what: `the site to bare Astro at ${MANY}, processor time`,
      value: many.own.cpuSeconds / many.bare.cpuSeconds,
      unit: 'times',
    },
    {
      what: `the site with its search index to bare Astro at ${MANY}`,
      value: (many.own.seconds + many.index) / many.bare.seconds,
      unit: 'times',
    },
    {
      what: `a further article to one in bare Astro, from ${FEW} to ${MANY}`,
      value: (many.own.seconds - few.own.seconds) / (many.bare.seconds - few.bare.seconds),
      unit: 'times',
    },
    {
      what: 'a further article to one in bare Astro, processor time',
      value: perArticle('own') / perArticle('bare'),
      unit: 'times',
    },
    { what: 'the site without these articles, processor time', value: besides, unit: 's' },
  ];
  print(title, figures);
  return { [title]: figures };
};
