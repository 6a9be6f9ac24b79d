import type { Figure } from '../report.ts';

/** What a series of faults is given. */
export interface SeriesContext {
  /** A folder of this run. */
  scratch: string;
  /** Settings with which a site starts beside a running one. */
  settings: Record<string, string>;
  /** How often a series runs, by its name and how often it usually does; 0 leaves it out. */
  times(name: string, usual: number): number;
  tell(title: string, figures: Figure[]): void;
}
