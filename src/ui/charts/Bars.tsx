/** Scores as bars with their levels and numbers, so they don't need a separate table. */
import { LevelWord } from './BloomTable.tsx';
import { levelFill, type SkillScore, scoreText } from './levels.ts';

export interface BarsProps {
  bars: readonly (SkillScore & {
    /** A second value from 0 to 100, such as a confidence, drawn as a mark across the bar. */
    mark?: number | null;
    /** A sentence about this area, shown under the bar. */
    note?: string;
  })[];
  /** What the bars show, for screen readers. */
  label: string;
  /** What the marks are: "Your confidence". */
  markLabel?: string;
  className?: string;
}

type Bar = BarsProps['bars'][number];

const BarShape = ({ bar: { score, level, mark } }: { bar: Bar }) => (
  <svg
    viewBox="0 0 100 10"
    preserveAspectRatio="none"
    className="mt-1.5 block h-2.5 w-full overflow-visible"
    aria-hidden="true"
  >
    <rect width="100" height="10" className="fill-petal" />
    {[25, 50, 75].map((x) => (
      <path
        key={x}
        d={`M${x} 0v10`}
        className="stroke-surface"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    ))}
    {score !== null && (
      <rect
        width={Math.max(Math.round(score * 10) / 10, 0.8)}
        height="10"
        className={level ? levelFill[level] : 'fill-muted'}
      />
    )}
    {mark != null && (
      <path
        d={`M${mark}-4v18`}
        className="stroke-ink"
        strokeWidth="2.5"
        vectorEffect="non-scaling-stroke"
      />
    )}
  </svg>
);

export function Bars({ bars, label, markLabel, className }: BarsProps) {
  return (
    <div className={className}>
      {markLabel && (
        <p className="mb-3 flex items-center gap-2 text-xs text-muted">
          <svg
            viewBox="0 0 4 14"
            className="h-3.5 w-1 stroke-ink"
            strokeWidth="2.5"
            aria-hidden="true"
          >
            <path d="M2 0v14" />
          </svg>
          {markLabel}
        </p>
      )}
      <ul aria-label={label} className="flex flex-col gap-4">
        {bars.map((bar) => (
          <li key={bar.key}>
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
              <span>{bar.label}</span>
              <span className="ml-auto flex items-baseline gap-3 whitespace-nowrap">
                <LevelWord level={bar.level} left_out={bar.left_out} />
                <span className="min-w-7 text-right font-semibold figures">
                  {scoreText(bar.score)}
                </span>
              </span>
            </div>
            <BarShape bar={bar} />
            {bar.mark != null && markLabel && (
              <span className="sr-only">
                {markLabel}: {Math.round(bar.mark)}
              </span>
            )}
            {bar.note && <p className="mt-1.5 text-xs text-muted">{bar.note}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}
