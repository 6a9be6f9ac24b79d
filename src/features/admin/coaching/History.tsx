import type { AdminEngagement } from '#data/admin-engagement.ts';
import { stepText, TIMELINE_TEXTS } from '#domain/admin-coaching.ts';
import { momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Section } from '#ui/Section.tsx';

interface HistoryProps extends Pick<AdminEngagement, 'events' | 'timeline'> {
  /** The admin's IANA time zone. */
  timeZone: string;
}

interface Entry {
  key: string;
  at: string;
  text: string;
  /** What it's about, with its page if admins have one. */
  title?: string | null;
  href?: string | undefined;
  /** Who did it. */
  by?: string | null;
  /** For staff. */
  note?: string | null;
  isStep: boolean;
}

const isMore = (kind: string): kind is keyof typeof TIMELINE_TEXTS => kind in TIMELINE_TEXTS;

function entriesOf({ events, timeline }: Pick<HistoryProps, 'events' | 'timeline'>): Entry[] {
  const steps = events.map((event) => ({
    key: `step ${event.id}`,
    at: event.at,
    text: stepText(event),
    by: event.actor,
    note: event.note,
    isStep: true,
  }));
  const others = timeline.flatMap(({ kind, at, id, title, href_kind }) =>
    isMore(kind)
      ? {
          key: `${kind} ${id} ${at}`,
          at,
          text: TIMELINE_TEXTS[kind],
          title,
          href:
            href_kind === 'project' && id ? hrefFor('/dashboard/projects/[id]', { id }) : undefined,
          isStep: false,
        }
      : [],
  );
  return [...steps, ...others].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** As many entries are shown right away. */
const FIRST = 12;

/** Everything that happened, newest first, with the notes that only staff reads. */
export function History({ events, timeline, timeZone }: HistoryProps) {
  const entries = entriesOf({ events, timeline });
  const rest = entries.slice(FIRST);
  return (
    <Section id="history" title="History">
      <p className="mt-1 text-sm text-muted">
        Notes here are for staff. The owner doesn’t see them.
      </p>
      <Entries entries={entries.slice(0, FIRST)} timeZone={timeZone} />
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="text-sm">
            {rest.length === 1 ? 'One earlier entry' : `${rest.length} earlier entries`}
          </summary>
          <Entries entries={rest} timeZone={timeZone} />
        </details>
      )}
    </Section>
  );
}

function Entries({ entries, timeZone }: { entries: readonly Entry[]; timeZone: string }) {
  return (
    <ol className="mt-4 flex flex-col">
      {entries.map(({ key, at, text, title, href, by, note, isStep }) => (
        <li key={key} className="relative flex gap-4 pb-5 last:pb-0">
          <Stem isStep={isStep} />
          <div className="min-w-0 text-sm wrap-anywhere">
            <p>
              <span className={isStep ? 'font-semibold' : undefined}>{text}</span>
              {title && ': '}
              {title && href ? (
                <a className="link" href={href}>
                  {title}
                </a>
              ) : (
                title
              )}
            </p>
            <p className="text-xs text-muted">
              <time dateTime={at}>{momentText(at, timeZone)}</time>
              {by && ` · ${by}`}
            </p>
            {note && (
              <p className="mt-1 max-w-prose rounded-small bg-raised px-3 py-2 whitespace-pre-line">
                {note}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A vine along the entries, with a leaf at each step of the engagement. */
const Stem = ({ isStep }: { isStep: boolean }) => (
  <span className="relative flex w-4 shrink-0 justify-center" aria-hidden="true">
    <span className="absolute top-2 -bottom-7 w-0.5 rounded-full bg-lattice [li:last-child_&]:hidden" />
    <svg viewBox="0 0 16 16" className="relative mt-1 size-4" aria-hidden="true">
      {isStep ? (
        <path d="M1 15C1 7 6 2 15 1C15 10 10 15 1 15Z" className="fill-leaf" />
      ) : (
        <circle cx="8" cy="8" r="4" className="fill-surface stroke-leaf" strokeWidth="2" />
      )}
    </svg>
  </span>
);
