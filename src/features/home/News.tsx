import type { News as NewsItem } from '#data/news.ts';
import { STATUS_LABELS } from '#domain/project.ts';
import { dayOf, whenText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';

interface NewsProps {
  news: readonly NewsItem[];
  /** When the reader was last here, in ISO 8601; null if this browser doesn't know. */
  since: string | null;
  timeZone: string;
  /** The current time, in ISO 8601. */
  now: string;
}

const hrefOf = ({ kind, id }: NewsItem) =>
  kind === 'notification'
    ? hrefFor('/dashboard/notifications/[id]', { id })
    : hrefFor('/dashboard/projects/[id]', { id });

/** What happened, before its time: "Luis Ortega, moved to In review". */
function whatOf({ kind, by, status }: NewsItem): string | null {
  if (kind === 'notification') return null;
  const what = kind === 'moved' && status ? `moved to ${STATUS_LABELS[status]}` : 'new update';
  return by ? `${by}, ${what}` : what.replace(/^./, (letter) => letter.toUpperCase());
}

/** What's changed since the reader was here, or lately if nobody knows when that was. */
export function News({ news, since, timeZone, now }: NewsProps) {
  const today = dayOf(now, timeZone);
  const fresh = since === null ? news : news.filter(({ at }) => Date.parse(at) > Date.parse(since));
  if (fresh.length === 0) {
    return (
      since !== null && (
        <p className="text-sm text-muted">
          Nothing’s changed since you were last here ({whenText(since, timeZone, today)}).
        </p>
      )
    );
  }
  return (
    <section aria-labelledby="news" className="card p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="news" className="text-lg">
          {since === null ? 'Recently' : 'Since you were last here'}
        </h2>
        <a className="link text-sm" href={hrefFor('/dashboard/notifications')}>
          All notifications
        </a>
      </div>
      <ul className="mt-3 flex flex-col divide-y divide-line">
        {fresh.map((item) => (
          <li
            key={`${item.kind}-${item.id}`}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2.5 text-sm first:pt-0 last:pb-0"
          >
            <a className="link min-w-0 [overflow-wrap:anywhere]" href={hrefOf(item)}>
              {item.title}
            </a>
            <span className="text-xs text-muted [overflow-wrap:anywhere]">
              {whatOf(item) && `${whatOf(item)} · `}
              <time dateTime={item.at}>{whenText(item.at, timeZone, today)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
