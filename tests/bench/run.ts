// `npm run bench`: prints what was promised beside what is, and fails over budget. Name parts to
// run only those: `npm run bench -- weights lighthouse`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuild } from '#server/build.ts';
import { projectRoot } from '#server/settings.ts';
import { articles } from './articles.ts';
import { delivery } from './delivery.ts';
import { faults } from './faults/faults.ts';
import { lighthouse } from './lighthouse.ts';
import { opening } from './opening.ts';
import type { BenchPart } from './parts.ts';
import { realtime } from './realtime.ts';
import { type Groups, overBudget, print, save } from './report.ts';
import { starting } from './starting.ts';
import { weights } from './weights.ts';

/** All parts, the quick ones first. */
const PARTS: Record<string, BenchPart> = {
  weights,
  starting,
  opening,
  realtime,
  delivery,
  lighthouse,
  articles,
  faults,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in PARTS));
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
  const build = await ensureBuild({ projectRoot, dataDir: scratch, log });
  const settings = { DATA_DIR: path.join(scratch, 'data'), DATABASE_URL: '', DEMO: '1' };
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const from = performance.now();
    Object.assign(groups, await part({ build, scratch, settings, print, log }));
    log(`\n(${name}: ${Math.round((performance.now() - from) / 1_000)} s)`);
  }
  await save(groups, asked.length === 0);
  const over = overBudget(groups);
  if (over.length > 0) {
    log(`\n${over.length} over budget:\n${over.map(({ what }) => `  ${what}`).join('\n')}`);
    process.exitCode = 1;
  }
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
