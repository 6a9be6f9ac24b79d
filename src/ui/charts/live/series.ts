/** What interactive charts have in common. Each is in its own file: few pages have them all. */
import { useState } from 'react';
import type { Series } from '../LineChart.tsx';

export interface Named {
  /** The chart's title. */
  title: string;
}

/** The hidden series and their toggle. */
export function useSwitches() {
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) =>
    setOff((before) =>
      before.has(name)
        ? new Set([...before].filter((each) => each !== name))
        : new Set([...before, name]),
    );
  return { off, onToggle: toggle };
}

/** The text for a position: "May: sales $1,200, costs –". */
export function readingOf(
  label: string,
  series: readonly Series[],
  off: ReadonlySet<string>,
  textOf: (each: Series) => string,
): string {
  const on = series.filter(({ name }) => !off.has(name));
  if (on.length === 0) return `${label}: every series is turned off`;
  return `${label}: ${on.map((each) => `${series.length > 1 ? `${each.name} ` : ''}${textOf(each)}`).join(', ')}`;
}

export const known = (series: readonly Series[]) =>
  series.some(({ values }) => values.some((value) => value !== null));
export const namesOf = (series: readonly Series[]) => series.map(({ name }) => name);
