import type { Sql } from 'postgres';
import type { Build } from '#server/build.ts';
import type { Figure, Groups } from './report.ts';

/** What a part of the bench is given. */
export interface BenchContext {
  /** The built site, compressed as it is served. */
  build: Build;
  /** A folder of this run, removed after it. */
  scratch: string;
  /** Settings with which the site starts beside a running one, in a data folder of this run. */
  settings: Record<string, string>;
  print: (title: string, figures: Figure[]) => void;
  log: (line: string) => void;
}

/** Measures, prints what it found and gives it. */
export type BenchPart = (context: BenchContext) => Promise<Groups>;

/** A screen whose list may grow without making it slower. */
export interface Screen {
  what: string;
  /** The address, once there are rows enough to have one. */
  address: string;
  /** Adds rows until there are so many. */
  fill(sql: Sql, count: number): Promise<unknown>;
}
