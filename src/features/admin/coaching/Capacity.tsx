import type { BoardCoach, CoachingBoard } from '#data/admin-coaching.ts';
import { type Away, awayText, loadText } from '#domain/admin-coaching.ts';
import { nearDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Section } from '#ui/Section.tsx';
import { CapacityVine } from './CapacityVine.tsx';

interface CapacityProps extends Pick<CoachingBoard, 'coaches'> {
  /** The day where the admin is. */
  today: string;
}

/** As many coaches are shown right away. */
const FIRST = 6;

/** Why a coach isn't there; null if they are. */
function awayOf({ leaving, away_until, paused_until }: BoardCoach): Away | null {
  if (leaving) return { why: 'leaving', until: null };
  if (away_until) return { why: 'time_off', until: away_until };
  return paused_until ? { why: 'paused', until: paused_until } : null;
}

const roomOf = ({ capacity, clients }: BoardCoach) =>
  capacity === null ? null : Math.max(0, capacity - clients);

/** Coaches whose clients may need someone else first, then those with the most room. */
function rank(coach: BoardCoach): number {
  if (awayOf(coach) && coach.clients > 0) return Number.POSITIVE_INFINITY;
  if (!coach.accepting || awayOf(coach)) return -1;
  return roomOf(coach) ?? 1000;
}

/** How many clients each coach has, of as many as they take, and who isn't there. */
export function Capacity({ coaches, today }: CapacityProps) {
  const sorted = coaches
    .map((coach) => ({ coach, at: rank(coach) }))
    .toSorted((a, b) => (a.at === b.at ? 0 : b.at > a.at ? 1 : -1))
    .map(({ coach }) => coach);
  const rest = sorted.slice(FIRST);
  const list = (some: readonly BoardCoach[]) => (
    <ul className="flex flex-col divide-y divide-line">
      {some.map((coach) => (
        <CoachRow key={coach.user_id} coach={coach} today={today} />
      ))}
    </ul>
  );
  return (
    <Section id="coaches" title="Coaches" className="card flex min-w-0 flex-col p-5 sm:p-6">
      {coaches.length === 0 ? (
        <p className="mt-2 text-sm text-muted">
          Nobody is a coach yet. Make someone a coach on{' '}
          <a className="link" href={hrefFor('/admin/people')}>
            their page
          </a>
          .
        </p>
      ) : (
        <>
          <p className="mt-1 text-xs text-muted">
            A green leaf is a client, an outlined one waits for the coach’s answer, a dashed one is
            room for one more.
          </p>
          <div className="mt-2">{list(sorted.slice(0, FIRST))}</div>
        </>
      )}
      {rest.length > 0 && (
        <details className="border-t border-line pt-3">
          <summary className="text-sm">
            {rest.length === 1 ? 'One more coach' : `${rest.length} more coaches`}
          </summary>
          {list(rest)}
        </details>
      )}
    </Section>
  );
}

function CoachRow({ coach, today }: { coach: BoardCoach; today: string }) {
  const { user_id, name, clients, capacity, waiting, accepting } = coach;
  const away = awayOf(coach);
  const theirs = `${hrefFor('/admin/coaching')}?coach=${user_id}#list`;
  const isUrgent = away !== null && clients > 0;
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-1 py-3">
      <div className="min-w-0 grow basis-52">
        <p className="text-sm wrap-anywhere">
          <a className="link" href={hrefFor('/admin/people/[id]', { id: user_id })}>
            {name || 'Unnamed'}
          </a>
        </p>
        <p className="text-xs text-muted">
          {clients === 0 ? (
            loadText(clients, capacity)
          ) : (
            <a className="link" href={theirs}>
              {loadText(clients, capacity)}
            </a>
          )}
          {waiting > 0 && `, ${waiting} to answer`}
          {away ? (
            <>
              {' · '}
              <span className={isUrgent ? 'font-medium text-caution' : undefined}>
                {awayText(away, (day) => nearDayText(day, today))}
              </span>
            </>
          ) : (
            !accepting && ' · takes no new clients'
          )}
        </p>
      </div>
      <div className="w-68 max-w-full">
        <CapacityVine
          accepted={clients - waiting}
          waiting={waiting}
          room={accepting && !away ? roomOf(coach) : 0}
        />
      </div>
    </li>
  );
}
