import type { BenchPart } from '../parts.ts';
import type { Groups } from '../report.ts';
import { backups } from './backup.ts';
import { fullDisk } from './disk.ts';
import { kills } from './kills.ts';
import { mailAndClock } from './mail.ts';

/**
 * What dies, and what is left of what people were told. `FAULTS="postmaster=5 stop=2"` runs only
 * these series, so often.
 */
export const faults: BenchPart = async ({ scratch, settings, print }) => {
  const asked = new Map(
    (process.env.FAULTS ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map((each) => each.split('='))
      .map(
        ([name = '', times]) => [name, times === undefined ? undefined : Number(times)] as const,
      ),
  );
  const times = (name: string, usual: number) => {
    if (asked.size === 0) return usual;
    return asked.has(name) ? (asked.get(name) ?? usual) : 0;
  };
  const groups: Groups = {};
  for (const series of [kills, mailAndClock, backups, fullDisk]) {
    Object.assign(groups, await series({ scratch, settings, times, tell: print }));
  }
  return groups;
};
