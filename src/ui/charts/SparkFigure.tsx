import type { ReactNode } from 'react';
import { Sparkline } from './Sparkline.tsx';

export interface SparkFigureProps {
  /** What the figure counts; a link to its list if there's one. */
  label: ReactNode;
  /** The figure, as text. */
  figure: string;
  /** Its history, oldest first. */
  weeks: readonly number[];
  /** The history in words: "3 in the last 7 days, 12 in 12 weeks". */
  children: ReactNode;
}

/** A figure with its history, drawn and in words: a term of a `dl`. */
export const SparkFigure = ({ label, figure, weeks, children }: SparkFigureProps) => (
  <div className="card grid grid-cols-[minmax(0,1fr)_minmax(0,40%)] items-end gap-x-4 gap-y-1 p-4 sm:flex sm:flex-col sm:items-stretch sm:gap-2 sm:p-5">
    <dt className="col-span-2 text-sm text-muted">{label}</dt>
    <dd className="font-display text-2xl tabular-nums">{figure}</dd>
    <dd className="pb-1 sm:pb-0" aria-hidden="true">
      <Sparkline values={weeks} />
    </dd>
    <dd className="col-span-2 text-xs text-muted">{children}</dd>
  </div>
);
