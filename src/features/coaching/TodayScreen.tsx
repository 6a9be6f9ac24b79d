import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { CoachToday } from '#data/coach-today.ts';
import type { ClientRow } from '#data/coaching-clients.ts';
import { CLIENT_STATES } from '#domain/client-list.ts';
import { countText } from '#lib/browser/unread-title.ts';
import { db } from '#lib/db.ts';
import { weekdayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { CalendarFeed } from './CalendarFeed.tsx';
import { clientsHref } from './clients/clients-href.ts';
import { STATE_LABELS } from './coach/StateMark.tsx';
import { UnsentSessions } from './coach/UnsentSessions.tsx';
import { DueList } from './today/DueList.tsx';
import { SessionList } from './today/SessionList.tsx';
import { createTodayStore } from './today/today-store.ts';
import { laterOf, Upcoming } from './today/Upcoming.tsx';
import { clockOf, type Reader } from './when.ts';

interface TodayProps {
  today: CoachToday;
  /** The first of their open clients, what's due first; nothing if something is due now. */
  clients: readonly ClientRow[];
  userId: string;
  reader: Reader;
}

const loadPlan = () => import('./coach/PlanDialog.tsx');

/** A coach's first page: what to do today. */
function TodayScreen({ today: initial, clients, userId, reader }: TodayProps) {
  const [store] = useState(() =>
    createTodayStore({ db, signedOut: sessionEnded, showFailure: addFailureToast }, initial),
  );
  const today = useStore(store.$today, { ssr: 'initial' });
  const busy = useStore(store.$busy, { ssr: 'initial' });
  const [planning, setPlanning] = useState<ClientRow | null>(null);
  const plan = useOpenedPart(loadPlan, planning !== null, () => setPlanning(null));
  // Sessions have their own list.
  const due = today.due.filter(isNoSession);
  // Then the calendar fits below the sessions. It stays there, with what's typed into it.
  const [isShort] = useState(
    () => initial.due.filter(isNoSession).length + initial.unread.length < 2,
  );
  const calendar = <CalendarFeed since={today.calendar_since} timeZone={reader.timeZone} />;
  const later = laterOf(clients, reader);
  const isNew = Object.values(today.counts).every((count) => count === 0);
  return (
    <div className="flex flex-col gap-7">
      <header>
        <p className="eyebrow">{weekdayText(reader.now, reader.timeZone, new Date(reader.now))}</p>
        <h1 className="mt-1">{headingOf(due, reader)}</h1>
        {due.length === 0 && !isNew && (
          <p className="mt-2 text-muted">
            Your next steps with clients show up here once they’re due by the end of tomorrow.
          </p>
        )}
      </header>
      <UnsentSessions userId={userId} onStored={() => void store.reread()} />
      {/* On a phone, sessions come right after what's due. */}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)] lg:grid-rows-[auto_auto_1fr] lg:items-start">
        {due.length > 0 ? (
          <DueList
            rows={due}
            reader={reader}
            busy={busy}
            onAccept={(row) => void store.accept(row)}
            onResume={(row) => void store.resume(row)}
            onPlan={setPlanning}
          />
        ) : (
          <NothingDue isNew={isNew} later={later} reader={reader} />
        )}
        <div className="flex min-w-0 flex-col gap-6 lg:row-span-3">
          <SessionList
            sessions={today.sessions}
            due={due.map(({ session_id }) => session_id)}
            reader={reader}
          />
          <Unread unread={today.unread} />
          {isShort && calendar}
        </div>
        {!isNew && <Counts today={today} />}
        {!isShort && calendar}
      </div>
      {planning && plan && (
        <plan.PlanDialog
          target={{
            engagementId: planning.id,
            name: planning.owner.full_name || planning.business.name,
            ownerTimeZone: null,
            last: null,
            holidays: today.holidays,
            moving: null,
          }}
          reader={reader}
          onClose={() => setPlanning(null)}
          onDone={(title) => {
            addToast({ tone: 'good', title });
            void store.reread();
          }}
        />
      )}
    </div>
  );
}

const isNoSession = ({ due_what }: ClientRow) => due_what !== 'session';

/** "2 things are late, 3 more to do" */
function headingOf(due: readonly ClientRow[], reader: Reader): string {
  const late = due.filter((row) => clockOf(row, reader)?.isLate).length;
  const other = due.length - late;
  if (due.length === 0) return 'Nothing’s due today';
  if (late === 0) return other === 1 ? '1 thing to do' : `${other} things to do`;
  const isLate = late === 1 ? '1 thing is late' : `${late} things are late`;
  return other === 0 ? isLate : `${isLate}, ${other} more to do`;
}

interface NothingProps {
  isNew: boolean;
  /** What comes after tomorrow. */
  later: readonly ClientRow[];
  reader: Reader;
}

function NothingDue({ isNew, later, reader }: NothingProps) {
  if (later.length > 0) return <Upcoming rows={later} reader={reader} />;
  return isNew ? (
    <EmptyState title="No clients yet">
      When an owner asks for you, or an admin assigns you someone, they show up here with what to do
      next. Owners choose by{' '}
      <a className="link" href={hrefFor('/dashboard/coaching/settings')}>
        what you say about yourself
      </a>
      .
    </EmptyState>
  ) : (
    <EmptyState title="You’re caught up">
      Nobody’s waiting for you, and nothing’s planned.{' '}
      <a className="link" href={hrefFor('/dashboard/coaching')}>
        Your clients
      </a>
    </EmptyState>
  );
}

/** "1 New request", "2 New requests"; the others read the same for one and for many. */
const countLabel = (state: (typeof CLIENT_STATES)[number], count: number): string =>
  STATE_LABELS[state] + (state === 'assigned' && count !== 1 ? 's' : '');

/** How many clients are in each state, with links to their list. */
const Counts = ({ today }: { today: CoachToday }) => (
  <Section id="clients" title="Clients" className="card p-5 md:p-6">
    <ul className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-4">
      {CLIENT_STATES.map((state) => (
        <li key={state}>
          <a
            href={clientsHref({ view: 'table', state })}
            className="flex flex-col rounded-control border border-line p-3 hover:border-edge hover:bg-raised"
          >
            <span className="font-display text-xl figures">{today.counts[state]}</span>
            <span className="text-xs text-muted">{countLabel(state, today.counts[state])}</span>
          </a>
        </li>
      ))}
    </ul>
    <p className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm">
      <a className="link" href={hrefFor('/dashboard/coaching')}>
        All clients
      </a>
      {today.offers_waiting > 0 && (
        <a className="link" href={clientsHref({ view: 'table', state: 'open' })}>
          {today.offers_waiting === 1
            ? '1 offer waits for an owner to pick a time'
            : `${today.offers_waiting} offers wait for owners to pick a time`}
        </a>
      )}
    </p>
  </Section>
);

const Unread = ({ unread }: Pick<CoachToday, 'unread'>) =>
  unread.length > 0 && (
    <Section id="unread" title="Unread messages" className="card p-5 md:p-6">
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {unread.map(({ id, title, unread: count, last_message: last }) => (
          <li key={id} className="py-3 last:pb-0">
            <p className="flex items-baseline justify-between gap-3 text-sm">
              <a
                className="link min-w-0 wrap-anywhere"
                href={hrefFor('/dashboard/messages/conversations/[id]', { id })}
              >
                {title}
              </a>
              <span className="shrink-0 text-xs text-muted figures">{countText(count)} unread</span>
            </p>
            {last && !last.removed && (
              <p className="mt-0.5 line-clamp-2 text-xs text-muted wrap-anywhere">
                {last.excerpt || 'A file'}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );

export default screen(TodayScreen);
