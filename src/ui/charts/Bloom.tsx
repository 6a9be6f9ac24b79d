/**
 * Skills as a flower: the length of a petal is the score, its colour the level, the pale petal behind
 * it what is possible. Drawn without styles or scripts, so pages render it where they are made. It
 * always stands with a BloomTable, which says the same in words and numbers.
 */
import { classNames } from '../class-names.ts';
import { levelFill, NOT_ENOUGH, type SkillScore, scoreText } from './levels.ts';

export interface BloomProps {
  /** Clockwise from the top; made for eight. */
  petals: readonly SkillScore[];
  /** Scores of an earlier attempt by area; their outline lies beneath. */
  earlier?: readonly { key: string; score: number | null }[];
  /** Petals grow once: for the moment in which a result is first seen. */
  grow?: boolean;
  /** Without words around it, where it is small. */
  bare?: boolean;
  /** The petal that is read, by its place; it gets an outline. */
  active?: number | null;
  className?: string;
}

/** The flower's edge and its heart, in units of the drawing. */
const EDGE = 118;
const HEART = 13;
const RINGS = [25, 50, 75, 100];

const reach = (score: number) => HEART + ((EDGE - HEART) * score) / 100;
const short = (value: number) => Math.round(value * 10) / 10;

/** A petal that grows upwards from the heart to `tip`, widest beyond its middle. */
function petalPath(score: number): string {
  const tip = reach(Math.max(score, 5));
  const length = tip - HEART;
  const wide = 5 + length * 0.19;
  const low = short(-(HEART + length * 0.3));
  const high = short(-(HEART + length * 0.72));
  const w = short(wide);
  return `M0-${HEART}C${w} ${low} ${short(wide * 0.92)} ${high} 0 ${short(-tip)}C${short(-wide * 0.92)} ${high} ${-w} ${low} 0-${HEART}Z`;
}

const pale = petalPath(100);

export function Bloom(props: BloomProps) {
  const { petals, earlier, grow = false, bare = false, active = null, className } = props;
  const step = 360 / Math.max(petals.length, 1);
  const before = new Map(earlier?.map(({ key, score }) => [key, score]));
  return (
    <div className={classNames('@container w-full', className)}>
      <svg
        viewBox={bare ? '-122 -122 244 244' : '-196 -168 392 340'}
        className="block w-full"
        fill="none"
        role="img"
        aria-label={`Flower of ${petals.length} skills. The table with it says the same in words and numbers.`}
      >
        <g className="stroke-line">
          {RINGS.map((ring) => (
            <circle key={ring} r={short(reach(ring))} />
          ))}
        </g>
        {petals.map(({ key, score, level }, index) => {
          const was = before.get(key);
          return (
            <g key={key} transform={`rotate(${index * step})`} data-place={index}>
              {score === null ? (
                <path
                  d={pale}
                  className="stroke-edge"
                  strokeWidth="1.2"
                  strokeDasharray="3 5"
                  strokeLinecap="round"
                />
              ) : (
                <path d={pale} className="fill-petal" />
              )}
              {was != null && (
                <path
                  d={petalPath(was)}
                  className="fill-petal stroke-muted"
                  strokeWidth="1.3"
                  strokeDasharray="4 3"
                />
              )}
              {score !== null && (
                <g className={grow ? 'animate-grow' : undefined}>
                  <path d={petalPath(score)} className={level ? levelFill[level] : 'fill-muted'} />
                  {score >= 18 && (
                    <path
                      d={`M0 ${short(-HEART - 5)}V${short(-reach(score * 0.78))}`}
                      className="stroke-surface opacity-45"
                    />
                  )}
                </g>
              )}
              {active === index && <path d={pale} className="stroke-ink" strokeWidth="1.6" />}
            </g>
          );
        })}
        <circle r="6.5" className="fill-accent" />
        {!bare &&
          petals.map(({ key, short_label, score }, index) => {
            const turn = (index * step * Math.PI) / 180;
            const [x, y] = [Math.sin(turn), -Math.cos(turn)];
            const upright = Math.abs(x) < 0.3;
            const anchor = upright ? 'middle' : x > 0 ? 'start' : 'end';
            // Two lines: above the top petal they end, below the bottom one they begin.
            const away = upright ? (y < 0 ? 28 : 20) : 12;
            return (
              <text
                key={key}
                x={short(x * (EDGE + 11))}
                y={short(y * (EDGE + away) + 1)}
                textAnchor={anchor}
                className="fill-muted text-[17.5px] @sm:text-[15px] @md:text-[13px]"
              >
                {short_label}
                <tspan
                  x={short(x * (EDGE + 11))}
                  dy="1.15em"
                  className={classNames(
                    'font-semibold figures',
                    score === null ? 'fill-muted' : 'fill-ink',
                  )}
                >
                  {scoreText(score)}
                </tspan>
              </text>
            );
          })}
      </svg>
      {!bare && petals.some(({ score }) => score === null) && (
        <p className="mt-1 text-center text-xs text-muted">
          A dashed petal: {NOT_ENOUGH.toLowerCase()}.
        </p>
      )}
    </div>
  );
}
