import type { Build } from '#server/build.ts';
import type { Figure } from './report.ts';

/** The context for each part of the benchmark. */
export interface BenchContext {
  /** The built site, compressed as it's served. */
  build: Build;
  /** A folder for this run, removed afterward. */
  scratch: string;
  /** Settings to start another site next to a running one, with a data folder of this run. */
  settings: Record<string, string>;
  /** Adds figures to the report under a heading. */
  keep(title: string, figures: Figure[]): void;
  /** Prints figures and adds them to the report. */
  show(title: string, figures: Figure[]): void;
  log(line: string): void;
}

/** Measures something and reports its figures. */
export type BenchPart = (context: BenchContext) => Promise<void>;
