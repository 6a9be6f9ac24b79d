import { leafShape } from '#ui/drawings/shapes.ts';

interface VineProps {
  /** Clients that the coach has accepted, and that they haven't answered yet. */
  accepted: number;
  waiting: number;
  /** How many more they take; null: no limit. */
  room: number | null;
}

/** A vine has at most this many leaves; for more, each leaf is a share of them. */
const MOST = 16;
/** Units between two leaves. */
const STEP = 15;

type Leaf = 'accepted' | 'waiting' | 'room';
const LOOKS: Record<Leaf, string> = {
  accepted: 'fill-leaf',
  waiting: 'fill-surface stroke-leaf',
  room: 'fill-surface stroke-edge',
};

/** Which leaf is which, from the root: clients first, then room for more. */
function leavesOf({ accepted, waiting, room }: VineProps): Leaf[] {
  const all = accepted + waiting + (room ?? 0);
  const share = Math.min(1, MOST / Math.max(all, 1));
  const upTo = (count: number) => Math.ceil(count * share);
  const leaves: Leaf[] = [];
  for (let n = 0; n < Math.min(all, MOST); n++) {
    const kind =
      n < upTo(accepted) ? 'accepted' : n < upTo(accepted + waiting) ? 'waiting' : 'room';
    leaves.push(kind);
  }
  return leaves;
}

/** A coach's clients as leaves of a vine, with dashed ones for those that they still have room for. */
export function CapacityVine(props: VineProps) {
  const leaves = leavesOf(props);
  const end = Math.max(leaves.length * STEP, 12);
  // Without a limit, the stem may grow on.
  const open = props.room === null ? Math.max(end, (MOST - 4) * STEP) + 4 * STEP : end;
  const width = open + 18;
  return (
    <svg
      viewBox={`0 0 ${width} 32`}
      width={width}
      height="32"
      preserveAspectRatio="xMinYMid"
      className="block h-8 w-auto max-w-full self-start"
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d={`M1 16H${end}`} className="stroke-stem" strokeWidth="2" />
      {open > end && (
        <path
          d={`M${end} 16H${open}`}
          className="stroke-edge"
          strokeWidth="2"
          strokeDasharray="1 7"
        />
      )}
      {leaves.map((kind, place) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: a leaf is nothing but its place
          key={place}
          d={leafShape}
          className={LOOKS[kind]}
          strokeWidth={kind === 'room' ? 4 : 3}
          strokeLinecap={kind === 'room' ? 'butt' : undefined}
          strokeDasharray={kind === 'room' ? '7 5' : undefined}
          transform={`translate(${4 + place * STEP} 16)rotate(${place % 2 ? 42 : -42})scale(.42 ${place % 2 ? -0.42 : 0.42})`}
        />
      ))}
    </svg>
  );
}
