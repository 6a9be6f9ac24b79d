import { useReady } from '../use-ready.ts';
import { Legend, type LegendProps } from './Legend.tsx';

/** A legend whose names are buttons once they work; the chart doesn't render again for that. */
export function LiveLegend({ onToggle, ...rest }: LegendProps) {
  const live = useReady();
  return <Legend {...rest} onToggle={live ? onToggle : undefined} />;
}
