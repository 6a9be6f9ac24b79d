/**
 * Skills as a flower: a petal's length is the score, its color the level, and the pale petal behind
 * it the maximum. It works on prerendered pages, without styles or scripts. Always show it with a
 * BloomTable, its equivalent in words and numbers.
 */
import { classNames } from '../class-names.ts';
import { useSay } from '../InLanguage.tsx';
import { CENTER, EDGE, petalPath, RINGS, reach, short } from './bloom-shape.ts';
import { LEFT_OUT, levelFill, NOT_ENOUGH, type SkillScore, scoreText } from './levels.ts';

export interface BloomProps {
  /** Clockwise from the top; made for eight. */
  petals: readonly SkillScore[];
  /** An earlier attempt's scores by area, outlined over the petals. */
  earlier?: readonly { key: string; score: number | null }[];
  /**
   * Animates the petals once, one after the other, for a result that's seen for the first time; or
   * only the petal with this key.
   */
  grow?: boolean | string;
  /** Hides the labels, for a small bloom. */
  bare?: boolean;
  /** The index of the selected petal, which gets an outline. */
  active?: number | null;
  className?: string;
}

const pale = petalPath(100);

interface PetalProps {
  petal: SkillScore;
  earlier: number | null | undefined;
  grow: boolean;
  active: boolean;
}

function Petal({ petal: { score, level }, earlier, grow, active }: PetalProps) {
  return (
    <>
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
      {score !== null && (
        <g className={grow ? 'animate-grow' : undefined}>
          <path d={petalPath(score)} className={level ? levelFill[level] : 'fill-muted'} />
          {score >= 18 && (
            <path
              d={`M0 ${short(-CENTER - 5)}V${short(-reach(score * 0.78))}`}
              className="stroke-surface opacity-45"
            />
          )}
        </g>
      )}
      {/* Over the petal, or it would be hidden wherever the score went up. */}
      {earlier != null && (
        <path
          d={petalPath(earlier)}
          className="stroke-ink"
          strokeWidth="1.4"
          strokeDasharray="4 3"
        />
      )}
      {active && <path d={pale} className="stroke-ink" strokeWidth="1.6" />}
    </>
  );
}

/** The name and score next to a petal; `degrees` is its direction, clockwise from the top. */
function PetalLabel({ petal, degrees }: { petal: SkillScore; degrees: number }) {
  const turn = (degrees * Math.PI) / 180;
  const [x, y] = [Math.sin(turn), -Math.cos(turn)];
  const upright = Math.abs(x) < 0.3;
  const anchor = upright ? 'middle' : x > 0 ? 'start' : 'end';
  // Two lines of text: above the top petal they grow upward, so leave more room than at the bottom.
  const distance = upright ? (y < 0 ? 28 : 20) : 12;
  return (
    <text
      x={short(x * (EDGE + 11))}
      y={short(y * (EDGE + distance) + 1)}
      textAnchor={anchor}
      className="fill-muted text-[17.5px] @sm:text-[15px] @md:text-[13px]"
    >
      {petal.short_label}
      <tspan
        x={short(x * (EDGE + 11))}
        dy="1.15em"
        className={classNames(
          'font-semibold figures',
          petal.score === null ? 'fill-muted' : 'fill-ink',
        )}
      >
        {scoreText(petal.score)}
      </tspan>
    </text>
  );
}

export function Bloom(props: BloomProps) {
  const { petals, earlier, grow = false, bare = false, active = null, className } = props;
  const say = useSay();
  const step = 360 / Math.max(petals.length, 1);
  const before = new Map(earlier?.map(({ key, score }) => [key, score]));
  const unscored = petals.filter(({ score }) => score === null);
  const reasons = new Set(unscored.map(({ left_out }) => (left_out ? LEFT_OUT : NOT_ENOUGH)));
  return (
    <div className={classNames('@container w-full', className)}>
      <svg
        viewBox={bare ? '-122 -122 244 244' : '-196 -168 392 340'}
        className="block w-full"
        fill="none"
        role="img"
        aria-label={say(
          'Flower chart of {count} skills. The table next to it has the same information.',
          { count: petals.length },
        )}
      >
        <g className="stroke-line">
          {RINGS.map((ring) => (
            <circle key={ring} r={short(reach(ring))} />
          ))}
        </g>
        {petals.map((petal, index) => (
          <g key={petal.key} transform={`rotate(${index * step})`} data-place={index}>
            <Petal
              petal={petal}
              earlier={before.get(petal.key)}
              grow={grow === true || grow === petal.key}
              active={active === index}
            />
          </g>
        ))}
        <circle r="6.5" className="fill-accent" />
        {!bare &&
          petals.map((petal, index) => (
            <PetalLabel key={petal.key} petal={petal} degrees={index * step} />
          ))}
      </svg>
      {!bare && reasons.size > 0 && (
        <p className="mt-1 text-center text-xs text-muted">
          {say('Dashed petal: {reasons}.', {
            reasons: [...reasons]
              .map((each) => say(each))
              .join(say(' or '))
              .toLowerCase(),
          })}
        </p>
      )}
    </div>
  );
}
