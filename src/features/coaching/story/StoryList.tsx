import type { TimelineEntry } from '#data/coaching-timeline.ts';
import { dayOf, nearDayText } from '#lib/locale/dates.ts';
import { classNames } from '#ui/class-names.ts';
import { storyHref, storyText } from './story.ts';

interface StoryListProps {
  /** Newest first. */
  timeline: readonly TimelineEntry[];
  areas: readonly { key: string; name: string }[];
  /** A session's address for the reader, by its id. */
  sessionHref: (id: string) => string;
  /** The reader's current day. */
  today: string;
  timeZone: string;
}

/** What shows before "Show earlier". */
const SHOWN = 8;

/** What happened, newest first, with links. It doesn't need JavaScript. */
export function StoryList({ timeline, ...rest }: StoryListProps) {
  const earlier = timeline.slice(SHOWN);
  return (
    <div>
      <Entries {...rest} timeline={timeline.slice(0, SHOWN)} isFirst />
      {earlier.length > 0 && (
        <details className="group">
          <summary className="link ml-8 inline-block py-2 text-sm group-open:hidden pointer-coarse:py-3">
            Show {earlier.length} earlier
          </summary>
          <Entries {...rest} timeline={earlier} isFirst={false} />
        </details>
      )}
    </div>
  );
}

function Entries({
  timeline,
  areas,
  sessionHref,
  today,
  timeZone,
  isFirst,
}: StoryListProps & { isFirst: boolean }) {
  return (
    <ol className="flex flex-col">
      {timeline.map((entry, index) => {
        const area = areas.find(({ key }) => key === entry.area_key)?.name ?? null;
        const href = storyHref(entry, sessionHref);
        const text = storyText(entry, area);
        return (
          <li
            key={`${entry.at} ${entry.kind} ${entry.id}`}
            className="relative flex flex-col pb-4 pl-8 sm:flex-row sm:gap-5"
          >
            <Knot isNewest={isFirst && index === 0} kind={entry.kind} />
            <time dateTime={entry.at} className="shrink-0 pt-px text-xs text-muted figures sm:w-24">
              {nearDayText(dayOf(entry.at, timeZone), today)}
            </time>
            <span className="min-w-0 text-sm [overflow-wrap:anywhere]">
              {href ? (
                <a className="link" href={href}>
                  {text}
                </a>
              ) : (
                text
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** What's worth a leaf on the stem; the rest is a knot. */
const LEAVES: readonly TimelineEntry['kind'][] = ['action_done', 'project_done', 'completed'];

function Knot({ kind, isNewest }: { kind: TimelineEntry['kind']; isNewest: boolean }) {
  const hasLeaf = LEAVES.includes(kind);
  return (
    <span className="absolute inset-y-0 left-0 w-5">
      <span
        className={classNames(
          'absolute left-[9px] w-0.5 bg-lattice',
          isNewest ? 'top-2.5 bottom-0' : 'inset-y-0',
        )}
      />
      <svg
        viewBox="-10 -10 20 20"
        className="absolute top-0.5 left-0 size-5 overflow-visible"
        aria-hidden="true"
      >
        {hasLeaf ? (
          <path d="M0 4C-6-3-4-8 6-9C9-1 6 4 0 4Z" className="fill-leaf" />
        ) : (
          <circle
            r={kind === 'session' ? 5 : 3.5}
            className={kind === 'session' ? 'fill-primary' : 'fill-surface stroke-edge'}
            strokeWidth="2"
          />
        )}
      </svg>
    </span>
  );
}
