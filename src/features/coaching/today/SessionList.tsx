import type { CoachToday } from '#data/coach-today.ts';
import { addDays, dayOf, timeText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { SessionPlace } from '../coach/SessionPlace.tsx';
import { dayOfReader, type Reader } from '../when.ts';

type TodaysSession = CoachToday['sessions'][number];

interface SessionsProps {
  sessions: readonly TodaysSession[];
  /** Sessions that are over and among what's due, where they can be closed. */
  due: readonly (string | null)[];
  reader: Reader;
}

/** The sessions of today and tomorrow; one that has started can be closed. */
export function SessionList({ sessions, due, reader }: SessionsProps) {
  const today = dayOfReader(reader);
  const days = [
    { name: 'Today', day: today },
    { name: 'Tomorrow', day: addDays(today, 1) },
  ];
  return (
    <Section id="sessions" title="Sessions" className="card p-5 md:p-6">
      {sessions.length === 0 && (
        <p className="mt-2 text-sm text-muted">No sessions today or tomorrow.</p>
      )}
      {sessions.length > 0 &&
        days.map(({ name, day }) => {
          const on = sessions.filter(({ starts_at }) => dayOf(starts_at, reader.timeZone) === day);
          return (
            <div key={day} className="mt-4">
              <h3 className="font-text text-xs font-semibold text-muted">{name}</h3>
              {on.length === 0 ? (
                <p className="mt-1 text-sm text-muted">No sessions.</p>
              ) : (
                <ul className="mt-1 flex flex-col divide-y divide-line">
                  {on.map((session) => (
                    <SessionItem
                      key={session.id}
                      session={session}
                      isOver={due.includes(session.id)}
                      reader={reader}
                    />
                  ))}
                </ul>
              )}
            </div>
          );
        })}
    </Section>
  );
}

interface ItemProps {
  session: TodaysSession;
  isOver: boolean;
  reader: Reader;
}

function SessionItem({ session, isOver, reader }: ItemProps) {
  const { id, engagement_id, business, owner_name, starts_at, kind, place } = session;
  const isOn = !isOver && Date.parse(starts_at) <= Date.parse(reader.now);
  return (
    <li className="grid grid-cols-[4.75rem_minmax(0,1fr)] gap-x-3 py-3 last:pb-0">
      <p className="text-sm font-semibold whitespace-nowrap figures">
        {timeText(starts_at, reader.timeZone)}
      </p>
      <div className="min-w-0 text-sm wrap-anywhere">
        <a
          className="font-semibold hover:text-primary hover:underline"
          href={hrefFor('/dashboard/coaching/[id]', { id: engagement_id })}
        >
          {business.name}
        </a>
        {owner_name && <span className="block text-xs text-muted">{owner_name}</span>}
        <span className="block text-xs text-muted">
          <SessionPlace kind={kind} place={place} isAhead={!isOver} />
        </span>
        {isOn && (
          <Button
            size="small"
            className="mt-2"
            href={hrefFor('/dashboard/coaching/sessions/[id]', { id })}
          >
            Close it<span className="sr-only">, {business.name}</span>
          </Button>
        )}
      </div>
    </li>
  );
}
