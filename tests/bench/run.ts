// `npm run bench`: prints measurements next to their budgets, and fails if any is over. Name parts
// to run only those: `npm run bench -- weights lighthouse`. `readme` writes the newest figures into
// the README.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '#backend/local/project-root.ts';
import { ensureBuild } from '#server/build.ts';
import { articles } from './articles/articles.ts';
import { delivery } from './delivery.ts';
import { faults } from './faults/faults.ts';
import { hydration } from './hydration.ts';
import { lighthouse } from './lighthouse.ts';
import { memory } from './memory.ts';
import { opening } from './opening/opening.ts';
import { pages } from './pages.ts';
import type { BenchContext, BenchPart } from './parts.ts';
import { writeReadme } from './readme.ts';
import { realtime } from './realtime/realtime.ts';
import { type Groups, isOver, print, save } from './report.ts';
import { serving } from './serving/serving.ts';
import { starting } from './starting.ts';
import { weights } from './weights.ts';

/** All parts, quick ones first. */
const PARTS: Record<string, BenchPart> = {
  weights,
  starting,
  serving,
  pages,
  memory,
  opening,
  realtime,
  delivery,
  hydration,
  lighthouse,
  articles,
  faults,
};

const README = 'readme';
const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in PARTS || name === README));
if (unknown.length > 0) {
  process.stderr.write(
    `The bench has no part ${unknown.join(', ')}. It has ${Object.keys(PARTS).join(', ')}.\n`,
  );
  process.exit(1);
}

const scratch = await mkdtemp(path.join(tmpdir(), 'trellis-bench-'));
const log = (line: string) => void process.stdout.write(`${line}\n`);
const groups: Groups = {};

try {
  const context: BenchContext = {
    build: await ensureBuild({ projectRoot, dataDir: scratch, log }),
    scratch,
    settings: { DATA_DIR: path.join(scratch, 'data'), DATABASE_URL: '', DEMO: '1' },
    keep(title, figures) {
      groups[title] = figures;
    },
    show(title, figures) {
      context.keep(title, figures);
      print(title, figures);
    },
    log,
  };
  for (const [name, part] of Object.entries(PARTS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const from = performance.now();
    await part(context);
    log(`\n(${name}: ${Math.round((performance.now() - from) / 1_000)} s)`);
  }
  const saved = await save(groups, named.length === 0);
  if (named.includes(README)) await writeReadme(saved);
  const over = Object.values(groups).flat().filter(isOver);
  if (over.length > 0) {
    log(`\n${over.length} over budget:\n${over.map(({ what }) => `  ${what}`).join('\n')}`);
    process.exitCode = 1;
  }
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
