import type { ReactNode } from 'react';
import type { Dashboard } from '#data/dashboard.ts';
import type { News as NewsItem } from '#data/news.ts';
import type { SessionFacts } from '#data/session.ts';
import { dayOf } from '#lib/locale/dates.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Progress } from '#ui/Progress.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { agendaOf } from './agenda.ts';
import { ComingUp } from './ComingUp.tsx';
import { FirstVisit } from './FirstVisit.tsx';
import { Glance } from './Glance.tsx';
import { News } from './News.tsx';
import { type NextStep, nextStep, staffStep } from './next-step.ts';
import { Invitations, PLACES, Unread } from './places.tsx';

interface HomeProps {
  session: SessionFacts;
  dashboard: Dashboard;
  /** What others and the product did lately. */
  news: readonly NewsItem[];
  /** When the reader was last here, in ISO 8601; null if this browser doesn't know. */
  since: string | null;
  /** The current time, in ISO 8601. */
  now: string;
  /** An island that names a first business. */
  business?: ReactNode;
}

/** The first page after signing in. Rendered on the server only; only its island needs JavaScript. */
function HomeScreen({ session, dashboard, news, since, now, business }: HomeProps) {
  const { timeZone } = session;
  const today = dayOf(now, timeZone);
  const nothing = isFirstVisit(dashboard);
  const next =
    (nothing ? staffStep(session.role) : null) ?? nextStep({ ...dashboard, today, now, timeZone });
  const agenda = agendaOf({ ...dashboard, today, now, timeZone }, next.about);
  const hello = nothing ? 'Welcome' : 'Good to see you';
  return (
    <div className="flex flex-col gap-8">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {session.business && (
            <p className="eyebrow [overflow-wrap:anywhere]">{session.business.name}</p>
          )}
          <h1 className="mt-1 text-2xl [overflow-wrap:anywhere]">
            {dashboard.called ? `${hello}, ${dashboard.called}` : 'Your dashboard'}
          </h1>
        </div>
        <MessageCoach coaching={dashboard.coaching} />
      </header>
      <Invitations invitations={dashboard.invitations} timeZone={timeZone} />
      {/* On a phone, what's coming up is right below the next step. */}
      <div
        className={classNames(
          'grid grid-cols-[minmax(0,1fr)] items-start gap-6',
          agenda.length > 0 &&
            'lg:grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)] lg:grid-rows-[auto_1fr]',
        )}
      >
        <div className="flex min-w-0 flex-col gap-6">
          <Next next={next} />
          {business}
        </div>
        {agenda.length > 0 && (
          <div className="lg:row-span-2">
            <ComingUp items={agenda} />
          </div>
        )}
        {!nothing && <News {...{ news, since, now, timeZone }} />}
      </div>
      {nothing ? (
        <>
          <Unread dashboard={dashboard} />
          {session.role === 'owner' && <FirstVisit />}
        </>
      ) : (
        <>
          <Glance latest={dashboard.latest} trend={dashboard.trend} timeZone={timeZone} />
          <div className="-mb-6 gap-x-6 *:mb-6 *:break-inside-avoid lg:columns-2">
            {PLACES.map((Place) => (
              <Place
                key={Place.name}
                {...{ dashboard, timeZone, now }}
                businessId={session.business?.id ?? null}
              />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** The way to the coach comes first on the page, so that a keyboard gets there in two steps. */
function MessageCoach({ coaching }: Pick<Dashboard, 'coaching'>) {
  if (!coaching || coaching.state === 'requested') return null;
  return (
    <Button variant="secondary" size="small" href={writeHref('engagement', coaching.id)}>
      Message {coaching.coach_name ?? 'your coach'}
    </Button>
  );
}

/** Longer titles, such as an owner's own words for an action, are set smaller. */
const LONG = 60;

/** The one thing to do next, with when it's due and why. */
const Next = ({ next }: { next: NextStep }) => (
  <section aria-labelledby="next" className="card p-5 sm:p-6 md:p-8">
    <p className="eyebrow">What to do next{next.when && ` · ${next.when}`}</p>
    <h2
      id="next"
      className={classNames(
        'mt-1 max-w-[40ch] [overflow-wrap:anywhere]',
        next.title.length > LONG ? 'text-lg' : 'text-xl',
      )}
    >
      {next.title}
    </h2>
    <p className="mt-2 max-w-[60ch] text-muted [overflow-wrap:anywhere]">{next.reason}</p>
    {next.progress && (
      <Progress
        label="Questions answered"
        value={next.progress.done}
        max={next.progress.of}
        className="mt-4 max-w-[60ch]"
      />
    )}
    <Button className="mt-5" href={next.action.href}>
      {next.action.label}
    </Button>
  </section>
);

/** The user hasn't started anything: no result, no quiz with an answer, nothing else to show. */
function isFirstVisit({ open_attempt, latest, focus, projects, tools, coaching }: Dashboard) {
  return (
    latest === null &&
    (open_attempt === null || open_attempt.answered === 0) &&
    focus.length + projects.items.length + tools.length === 0 &&
    coaching === null
  );
}

export default screen(HomeScreen);
