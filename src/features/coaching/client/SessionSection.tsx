import { useStore } from '@nanostores/react';
import { Lock } from 'lucide-react';
import type { ClientRecord } from '#data/coaching-client.ts';
import type { Session, SessionOffer } from '#data/coaching-sessions.ts';
import { SESSION_STATE_LABELS } from '#domain/session.ts';
import { sessionText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { Still } from '#ui/Still.tsx';
import { SessionPlace } from '../coach/SessionPlace.tsx';
import { SessionsLeft } from '../SessionsLeft.tsx';
import { dayOfReader, type Reader } from '../when.ts';
import type { Asked } from './asked.ts';
import type { ClientStore } from './client-store.ts';
import { nameOf } from './dialog-deps.ts';

interface SessionsProps {
  store: ClientStore;
  client: ClientRecord;
  reader: Reader;
  onAsk: (what: Asked) => void;
}

/** How many past sessions are shown before "Show earlier". */
const SHOWN = 3;

/** What's planned, offered and over, with the shared summaries and the coach's own notes. */
export function SessionSection({ store, client, reader, onAsk }: SessionsProps) {
  const planned = client.sessions.filter(({ state }) => state === 'scheduled').toReversed();
  const past = client.sessions.filter(({ state }) => state !== 'scheduled');
  const isBare = planned.length + past.length + client.offers.length === 0;
  const list = (sessions: readonly Session[]) => (
    <Still of={[client]}>
      {() => (
        <ul className="flex flex-col divide-y divide-line">
          {sessions.map((session) => (
            <PastSession key={session.id} session={session} client={client} reader={reader} />
          ))}
        </ul>
      )}
    </Still>
  );
  return (
    <Section id="sessions" title="Sessions" className="card scroll-mt-20 p-5 md:p-6">
      {client.used > 0 && !client.left && (
        <p className="mt-1 text-sm text-muted">
          {client.used === 1 ? '1 session used so far.' : `${client.used} sessions used so far.`}
        </p>
      )}
      {client.left && (
        <SessionsLeft
          left={client.left}
          used={client.used}
          timeZone={reader.timeZone}
          without="You can’t plan one until they buy more, use a seat code, or we give them some. You can still write to each other."
        />
      )}
      {isBare && <p className="mt-2 text-sm text-muted">None yet.</p>}
      {(planned.length > 0 || client.offers.length > 0) && (
        <ul className="mt-4 flex flex-col gap-3">
          {planned.map((session) => (
            <Planned key={session.id} session={session} reader={reader} onAsk={onAsk} />
          ))}
          {client.offers.map((offer) => (
            <Offered key={offer.id} offer={offer} store={store} client={client} reader={reader} />
          ))}
        </ul>
      )}
      {past.length > 0 && <div className="mt-4">{list(past.slice(0, SHOWN))}</div>}
      {past.length > SHOWN && (
        <details className="group">
          <summary className="link inline-block py-2 text-sm group-open:hidden pointer-coarse:py-3">
            Show {past.length - SHOWN} earlier
          </summary>
          {list(past.slice(SHOWN))}
        </details>
      )}
    </Section>
  );
}

const PLAN = 'rounded-control border border-line bg-raised/60 p-4';

function Planned({
  session,
  reader,
  onAsk,
}: Pick<SessionsProps, 'reader' | 'onAsk'> & { session: Session }) {
  const { id, starts_at, minutes, kind, place } = session;
  const when = sessionText(starts_at, reader.timeZone, dayOfReader(reader));
  const hasStarted = Date.parse(starts_at) <= Date.parse(reader.now);
  const whose = <span className="sr-only">, {when}</span>;
  return (
    <li className={PLAN}>
      <p className="font-semibold">{when}</p>
      <p className="text-sm text-muted wrap-anywhere">
        {minutes} minutes · <SessionPlace kind={kind} place={place} />
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {hasStarted ? (
          <Button size="small" href={hrefFor('/dashboard/coaching/sessions/[id]', { id })}>
            Write it up{whose}
          </Button>
        ) : (
          <Button
            size="small"
            variant="secondary"
            needsScript
            onClick={() => onAsk({ what: 'plan', moving: session })}
          >
            Move{whose}
          </Button>
        )}
        <Button
          size="small"
          variant="secondary"
          needsScript
          onClick={() => onAsk({ what: 'cancel', session })}
        >
          Cancel{whose}
        </Button>
      </div>
    </li>
  );
}

function Offered(props: Omit<SessionsProps, 'onAsk'> & { offer: SessionOffer }) {
  const { offer, store, client, reader } = props;
  const busy = useStore(store.$busy, { ssr: 'initial' });
  return (
    <li className={PLAN}>
      <p className="text-sm font-semibold">Waiting for {nameOf(client)} to pick a time</p>
      <ul className="mt-1 text-sm">
        {offer.times.map((time) => (
          <li key={time}>{sessionText(time, reader.timeZone, dayOfReader(reader))}</li>
        ))}
      </ul>
      <p className="text-sm text-muted wrap-anywhere">
        {offer.minutes} minutes · <SessionPlace kind={offer.kind} place={offer.place} />
      </p>
      <Button
        size="small"
        variant="secondary"
        className="mt-3"
        pending={busy === offer.id}
        needsScript
        onClick={() => void store.withdrawOffer(offer.id)}
      >
        Withdraw the times
      </Button>
    </li>
  );
}

interface PastProps {
  session: Session;
  client: ClientRecord;
  reader: Reader;
}

function PastSession({ session, client, reader }: PastProps) {
  const { id, state, starts_at, minutes, kind, topics, summary, cancel_reason } = session;
  const note = client.notes.find(({ session_id }) => session_id === id);
  const when = sessionText(starts_at, reader.timeZone, dayOfReader(reader));
  const about = client.skill_areas.filter(({ key }) => topics.includes(key));
  return (
    <li className="py-4 last:pb-0" id={`session-${id}`}>
      <h3 className="font-text text-sm font-semibold">
        {state === 'canceled' ? (
          when
        ) : (
          <a
            className="hover:text-primary hover:underline"
            href={hrefFor('/dashboard/coaching/sessions/[id]', { id })}
          >
            {when}
          </a>
        )}
        {state !== 'completed' && (
          <span className="font-normal text-muted"> · {SESSION_STATE_LABELS[state]}</span>
        )}
      </h3>
      {state !== 'canceled' && (
        <p className="text-xs text-muted">
          {minutes} minutes · <SessionPlace kind={kind} place={null} />
          {about.length > 0 && ` · ${about.map(({ name }) => name).join(', ')}`}
        </p>
      )}
      {cancel_reason && <p className="mt-1 text-sm text-muted wrap-anywhere">{cancel_reason}</p>}
      {summary && (
        <p className="mt-2 max-w-[68ch] text-sm whitespace-pre-line wrap-anywhere">{summary}</p>
      )}
      {note && <PrivateNote body={note.body} />}
    </li>
  );
}

/** A private note, marked so that nobody takes it for something that's shared. */
export const PrivateNote = ({ body }: { body: string }) => (
  <div className="mt-3 max-w-[68ch] rounded-control border border-dashed border-edge bg-raised p-3 text-sm">
    <p className="flex items-center gap-1.5 text-xs font-semibold">
      <Lock className="size-3.5" aria-hidden="true" />
      Only you can read this
    </p>
    <p className="mt-1 whitespace-pre-line wrap-anywhere">{body}</p>
  </div>
);
