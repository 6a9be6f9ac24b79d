import type { BenchContext, BenchPart } from '../parts.ts';
import { backups } from './backup.ts';
import { fullDisk } from './disk.ts';
import { kills } from './kills.ts';

/** The series: how many times each runs, and its function. */
const SERIES: Record<string, [times: number, run: (c: BenchContext, n: number) => Promise<void>]> =
  {
    node: [100, kills('node')],
    postmaster: [100, kills('postmaster')],
    backend: [100, kills('backend')],
    restart: [20, kills('restart')],
    stop: [30, kills('stop')],
    backup: [3, backups],
    disk: [12, fullDisk],
  };

/**
 * Kills parts of a site under load, and checks that no acknowledged write is lost.
 * `FAULTS="postmaster=5 stop=2"` runs only these series, this many times.
 */
export const faults: BenchPart = async (context) => {
  const named = (process.env.FAULTS ?? '').split(/\s+/).filter(Boolean);
  const times = Object.fromEntries(named.map((each) => each.split('=')));
  for (const [name, [usual, run]] of Object.entries(SERIES)) {
    if (named.length > 0 && !(name in times)) continue;
    const count = Number(times[name] ?? usual);
    if (count > 0) await run(context, count);
  }
};
