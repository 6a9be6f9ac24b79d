import type { SessionsLeft as Left } from '#data/session-grants.ts';
import { GRANT_LABELS } from '#domain/session-grant.ts';
import { dayText } from '#lib/locale/dates.ts';
import { classNames } from '#ui/class-names.ts';

interface LeftProps {
  left: Left;
  /** Of the reader, IANA. */
  timeZone: string;
  /** What someone without a session can do. */
  without: React.ReactNode;
  /** How many were used, if that's part of the line: it has no box then. */
  used?: number;
}

const count = (of: number) => `${of} ${of === 1 ? 'session' : 'sessions'}`;

/** How many sessions a business has left, of what, and until when. */
export function SessionsLeft({ left, timeZone, without, used }: LeftProps) {
  const grants = left.grants.filter((each) => each.left > 0);
  return (
    <div
      className={classNames(
        'text-sm',
        used === undefined ? 'rounded-card bg-raised px-4 py-3' : 'mt-1',
      )}
    >
      <p className="font-semibold">
        {left.left === 0 ? 'No sessions left' : `${count(left.left)} left`}
        {left.booked > 0 && left.left > 0 && (
          <span className="font-normal text-muted">, {left.booked} of them scheduled</span>
        )}
        {used !== undefined && used > 0 && (
          <span className="font-normal text-muted">, {used} used so far</span>
        )}
      </p>
      {grants.length > 0 && (
        <ul className="mt-1 text-muted">
          {grants.map(({ id, kind, left: of, ends_at, held }) => (
            <li key={id}>
              {GRANT_LABELS[kind]}: {of}, good until{' '}
              <span className="whitespace-nowrap">{dayText(ends_at, timeZone)}</span>
              {held && ', once the overdue invoice is paid'}
            </li>
          ))}
        </ul>
      )}
      {left.next_at && (
        <p className="mt-1 text-muted">The next one comes on {dayText(left.next_at, timeZone)}.</p>
      )}
      {left.left === 0 && <p className="mt-1 text-muted">{without}</p>}
    </div>
  );
}
