import type { Session } from '#data/coaching-sessions.ts';
import { isOpenEngagement } from '#domain/engagement.ts';
import { coachName } from '#domain/engagement-text.ts';
import { endOfSession, SESSION_KIND_LABELS, SESSION_STATE_LABELS } from '#domain/session.ts';
import { dayOf, nearDayText, weekdayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import type { Engagement } from '../coaching-store.ts';
import { SessionsLeft } from '../SessionsLeft.tsx';
import { areaNames } from './CoachFacts.tsx';
import { DayMark } from './DayMark.tsx';
import type { Reader } from './reader.ts';
import { elsewhereWords, spanWords } from './times.ts';

interface SessionsProps {
  engagement: Engagement;
  areas: readonly { key: string; name: string }[];
  reader: Reader;
  onCancel: (session: Session) => void;
  onRate: (session: Session) => void;
}

/** Past sessions that show before "Show earlier". */
const SHOWN = 3;

/** Sessions that are coming up, and those that were, with their summaries. */
export function Sessions(props: SessionsProps) {
  const { engagement, reader } = props;
  const { sessions, used } = engagement;
  const coming = sessions.filter((each) => isComing(each, reader.now)).toReversed();
  const past = sessions.filter((each) => !isComing(each, reader.now));
  const earlier = past.slice(SHOWN);
  const id = `sessions-${engagement.id}`;
  return (
    <section aria-labelledby={id} className="card p-5 md:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={id}>Sessions</h3>
        {used > 0 && (
          <p className="text-xs text-muted">
            {used} {used === 1 ? 'session' : 'sessions'} used so far
          </p>
        )}
      </div>
      {engagement.left && (
        <div className="mt-4">
          <SessionsLeft
            left={engagement.left}
            timeZone={reader.timeZone}
            without={
              <>
                You can still write to your coach.{' '}
                <a className="link" href={hrefFor('/purchase')}>
                  Use a seat code
                </a>{' '}
                or{' '}
                <a className="link" href={hrefFor('/pricing')}>
                  see what sessions cost
                </a>
                .
              </>
            }
          />
        </div>
      )}
      {sessions.length === 0 && <p className="mt-2 text-sm text-muted">{noneYet(engagement)}</p>}
      {coming.length > 0 && (
        <ul className="mt-4 flex flex-col gap-5" aria-label="Coming up">
          {coming.map((session) => (
            <Coming key={session.id} {...props} session={session} />
          ))}
        </ul>
      )}
      {past.length > 0 && (
        <ul className="mt-4 flex flex-col divide-y divide-line" aria-label="Past sessions">
          {past.slice(0, SHOWN).map((session) => (
            <Past key={session.id} {...props} session={session} />
          ))}
        </ul>
      )}
      {earlier.length > 0 && (
        <details className="group border-t border-line pt-2">
          <summary className="link inline-block py-2 text-sm group-open:hidden pointer-coarse:py-3">
            Show {earlier.length} earlier {earlier.length === 1 ? 'session' : 'sessions'}
          </summary>
          <ul className="flex flex-col divide-y divide-line" aria-label="Earlier sessions">
            {earlier.map((session) => (
              <Past key={session.id} {...props} session={session} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const isComing = (session: Session, now: string) =>
  session.state === 'scheduled' && Date.parse(endOfSession(session)) > Date.parse(now);

function noneYet(engagement: Engagement): string {
  if (!isOpenEngagement(engagement)) return 'There were no sessions.';
  return engagement.offers.length > 0
    ? 'Pick one of the times above for the first one.'
    : 'The first one shows up here, with everything you need to get there.';
}

interface SessionProps extends SessionsProps {
  session: Session;
}

function Coming({ session, engagement, reader, onCancel }: SessionProps) {
  const { timeZone, now } = reader;
  const day = weekdayText(session.starts_at, timeZone, new Date(now));
  const theirs = elsewhereWords(session.starts_at, timeZone, session.time_zone, now);
  const ics = hrefFor('/dashboard/coaching/sessions/[id].ics', { id: session.id });
  return (
    <li id={`session-${session.id}`} className="flex scroll-mt-20 gap-4">
      <DayMark day={dayOf(session.starts_at, timeZone)} />
      <div className="min-w-0 grow">
        <p className="font-semibold">{day}</p>
        <p className="text-sm figures">
          {spanWords(session, timeZone)}
          {theirs && <span className="text-muted"> ({theirs})</span>}
        </p>
        <p className="mt-1 text-sm text-muted">
          {SESSION_KIND_LABELS[session.kind]} with {coachName(engagement)}
        </p>
        <Place session={session} />
        <p className="mt-3 flex flex-wrap gap-2">
          <Button size="small" variant="secondary" href={ics} download>
            Add to calendar<span className="sr-only">: {day}</span>
          </Button>
          <Button size="small" variant="quiet" needsScript onClick={() => onCancel(session)}>
            Cancel session<span className="sr-only"> on {day}</span>
          </Button>
        </p>
      </div>
    </li>
  );
}

/** Where it is: an address, a link to the meeting, or a number to call. */
function Place({ session: { kind, place } }: { session: Session }) {
  if (!place) return null;
  const isLink = kind === 'online' && /^https?:\/\/\S+$/.test(place);
  const isNumber = kind === 'phone' && /^\+?[\d\s().-]{5,30}$/.test(place);
  return (
    <p className="text-sm [overflow-wrap:anywhere]">
      {isLink || isNumber ? (
        <a
          className="link"
          href={isLink ? place : `tel:${place.replaceAll(/[^+\d]/g, '')}`}
          {...(isLink && { rel: 'noreferrer' })}
        >
          {place}
        </a>
      ) : (
        place
      )}
    </p>
  );
}

/** Whether the page asks how it went: of those that aren't rated, only the last one. */
const asksFor = ({ sessions }: Engagement, session: Session): boolean =>
  session === sessions.find(({ state }) => state === 'completed') && !session.rated;

function Past({ session, engagement, areas, reader, onRate }: SessionProps) {
  const { state, topics, summary, cancel_reason } = session;
  const name = coachName(engagement);
  const day = nearDayText(dayOf(session.starts_at, reader.timeZone), reader.today);
  return (
    <li id={`session-${session.id}`} className="flex scroll-mt-20 flex-col gap-2 py-4">
      <div className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="font-semibold">{day}</span>
        <span className="text-muted">
          {state === 'completed'
            ? `${session.minutes} minutes, ${SESSION_KIND_LABELS[session.kind].toLowerCase()}`
            : state === 'scheduled'
              ? 'Waiting for the summary'
              : SESSION_STATE_LABELS[state]}
        </span>
      </div>
      {topics.length > 0 && (
        <p className="text-xs text-muted">About {areaNames(topics, areas).join(', ')}</p>
      )}
      {summary && (
        <p className="max-w-[68ch] text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          {summary}
        </p>
      )}
      {state === 'canceled' && cancel_reason && (
        <p className="text-sm text-muted [overflow-wrap:anywhere]">“{cancel_reason}”</p>
      )}
      {state === 'no_show' && session.uses_one && (
        <p className="text-sm text-muted">
          It used one of your sessions. If that’s a mistake, write to {name}.
        </p>
      )}
      {state === 'completed' && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          {session.rated && (
            <span className="text-muted">You told us how it went. Only our staff can read it.</span>
          )}
          <Button
            size="small"
            variant={asksFor(engagement, session) ? 'secondary' : 'quiet'}
            className={asksFor(engagement, session) ? undefined : '-mx-3'}
            needsScript
            onClick={() => onRate(session)}
          >
            {session.rated ? 'Change' : 'How did it go?'}
            <span className="sr-only">, session on {day}</span>
          </Button>
        </p>
      )}
    </li>
  );
}
