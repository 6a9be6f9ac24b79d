import type { Build } from '#server/build.ts';
import type { Figure } from './report.ts';

/** What a part of the bench is given. */
export interface BenchContext {
  /** The built site, compressed as it is served. */
  build: Build;
  /** A folder of this run, removed after it. */
  scratch: string;
  /** Settings with which the site starts beside a running one, in a data folder of this run. */
  settings: Record<string, string>;
  /** Keeps figures under a heading for the report. */
  keep(title: string, figures: Figure[]): void;
  /** Prints figures and keeps them. */
  show(title: string, figures: Figure[]): void;
  log(line: string): void;
}

/** Measures, and shows what it found. */
export type BenchPart = (context: BenchContext) => Promise<void>;
