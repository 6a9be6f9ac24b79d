import type { Spread } from './bins.ts';
import type { Series } from './LineChart.tsx';
import { NothingToDraw } from './Plot.tsx';
import { extent, tickText } from './values.ts';

export interface BoxRow {
  label: string;
  /** The distribution of the other values; null if there are too few to show. */
  spread: Spread | null;
  /** The user's own value; null if unknown. */
  own?: number | null;
}

export interface BoxChartProps {
  rows: readonly BoxRow[];
  unit?: string;
  /** The axis range, by default the values' extent. For scores, pass 0 to 100. */
  domain?: readonly [low: number, high: number];
  active?: number | null;
}

/** Converts the rows to NumbersTable series, one column per figure. */
export function boxSeries(rows: readonly BoxRow[]): Series[] {
  const column = (name: string, key: keyof Spread) => ({
    name,
    values: rows.map(({ spread }) => spread?.[key] ?? null),
  });
  return [
    { name: 'Yours', values: rows.map(({ own }) => own ?? null) },
    column('Median', 'median'),
    column('Lower quartile', 'q1'),
    column('Upper quartile', 'q3'),
    column('Lowest', 'low'),
    column('Highest', 'high'),
  ];
}

type Scale = (value: number) => number;

const SpreadBox = ({ spread, at }: { spread: Spread; at: Scale }) => (
  <>
    <path
      d={`M${at(spread.low)} 10H${at(spread.high)}M${at(spread.low)} 6v8M${at(spread.high)} 6v8`}
      className="stroke-muted"
      strokeWidth="1.5"
      vectorEffect="non-scaling-stroke"
    />
    <rect
      x={at(spread.q1)}
      y="3"
      width={Math.max(at(spread.q3) - at(spread.q1), 0.4)}
      height="14"
      className="fill-level-established"
    />
    <path
      d={`M${at(spread.median)} 3v14`}
      className="stroke-ink"
      strokeWidth="2.5"
      vectorEffect="non-scaling-stroke"
    />
  </>
);

const OWN_DOT = [
  { className: 'stroke-surface', strokeWidth: '16' },
  { className: 'stroke-clay', strokeWidth: '12' },
];

const OwnValue = ({ x }: { x: number }) =>
  OWN_DOT.map((look) => (
    <path
      key={look.className}
      d={`M${x} 10h0`}
      {...look}
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  ));

/**
 * Compares the user's value with others: the line runs from the lowest to the highest, the box is
 * the middle half, its stroke the median, the dot the user's value. Show it with a NumbersTable.
 */
export function BoxChart({ rows, unit = '', domain, active = null }: BoxChartProps) {
  const all = rows.flatMap(({ spread, own }) => [
    ...(spread ? [spread.low, spread.high] : []),
    own ?? null,
  ]);
  if (!all.some((value) => value !== null)) return <NothingToDraw />;
  const [low, high] = domain ?? extent(all);
  const at = (value: number) => Math.round((1000 * (value - low)) / (high - low)) / 10;
  return (
    <div className="box-chart" aria-hidden="true">
      <ul className="box-rows">
        {rows.map(({ label, spread, own }, place) => (
          <li key={label} data-place={place} className={active === place ? 'active' : undefined}>
            <span>{label}</span>
            <svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
              <path d="M0 10h100" className="stroke-line" vectorEffect="non-scaling-stroke" />
              {spread && <SpreadBox spread={spread} at={at} />}
              {own != null && <OwnValue x={at(own)} />}
            </svg>
          </li>
        ))}
        <li className="scale">
          <span />
          <span>
            <span>{tickText(low, unit)}</span>
            <span>{tickText(high, unit)}</span>
          </span>
        </li>
      </ul>
      <p className="chart-note">
        Box: the middle half. Bar: the median. Line: lowest to highest. Dot: yours.
      </p>
    </div>
  );
}
