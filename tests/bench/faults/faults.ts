import type { BenchPart } from '../parts.ts';
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
  return {
    ...(await kills(scratch, settings, times, print)),
    ...(await mailAndClock(scratch, settings, times, print)),
    ...(await backups(scratch, settings, times, print)),
    ...(await fullDisk(scratch, settings, times, print)),
  };
};
