import type { ReactNode } from 'react';
import type { News as NewsItem } from '#data/news.ts';
import type { SessionFacts } from '#data/session.ts';
import type { Dashboard, Standing } from '#data/skills.ts';
import { dayOf, dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { FirstVisit } from './FirstVisit.tsx';
import { News } from './News.tsx';
import { nextStep, staffStep } from './next-step.ts';
import { Events, Invitations, PLACES, Unread } from './places.tsx';

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
  const today = dayOf(now, session.timeZone);
  const nothing = isFirstVisit(dashboard);
  const next = (nothing ? staffStep(session.role) : null) ?? nextStep({ ...dashboard, today, now });
  const hello = nothing ? 'Welcome' : 'Good to see you';
  return (
    <div className="flex flex-col gap-8">
      <header>
        {session.business && (
          <p className="eyebrow [overflow-wrap:anywhere]">{session.business.name}</p>
        )}
        <h1 className="mt-1 text-2xl [overflow-wrap:anywhere]">
          {dashboard.called ? `${hello}, ${dashboard.called}` : 'Your dashboard'}
        </h1>
      </header>
      <Invitations invitations={dashboard.invitations} timeZone={session.timeZone} />
      <section aria-labelledby="next" className="card p-6 md:p-8">
        <p className="eyebrow">What to do next</p>
        <h2 id="next" className="mt-1 text-xl [overflow-wrap:anywhere]">
          {next.title}
        </h2>
        <p className="mt-2 max-w-[60ch] text-muted [overflow-wrap:anywhere]">{next.reason}</p>
        <Button className="mt-5" href={next.action.href}>
          {next.action.label}
        </Button>
      </section>
      {business}
      {!nothing && <News {...{ news, since, now }} timeZone={session.timeZone} />}
      <Events events={dashboard.events} timeZone={session.timeZone} />
      {nothing ? (
        <>
          <Unread dashboard={dashboard} />
          {session.role === 'owner' && <FirstVisit />}
        </>
      ) : (
        <>
          <Glance latest={dashboard.latest} timeZone={session.timeZone} />
          <div className="-mb-6 gap-x-6 *:mb-6 *:break-inside-avoid lg:columns-2">
            {PLACES.map((Place) => (
              <Place key={Place.name} dashboard={dashboard} today={today} />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** The user hasn't started anything: no result, no quiz with an answer, nothing else to show. */
function isFirstVisit({ open_attempt, latest, focus, projects, tools, coaching }: Dashboard) {
  return (
    latest === null &&
    (open_attempt === null || open_attempt.answered === 0) &&
    focus.length + projects.items.length + tools.length === 0 &&
    coaching === null
  );
}

/** Skills at a glance, as a flower and a table. It labels the result of a first look as one. */
function Glance({ latest, timeZone }: { latest: Standing | null; timeZone: string }) {
  const first = latest?.attempt.kind === 'first_look';
  return (
    <section aria-labelledby="skills">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="skills" className="text-xl">
          Skills at a glance
        </h2>
        {latest && (
          <a className="link text-sm" href={hrefFor('/dashboard/skills')}>
            All your results
          </a>
        )}
      </div>
      {latest ? (
        <div className="card grid items-center gap-6 p-6 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
          <Bloom petals={latest.areas} className="mx-auto w-full max-w-80" />
          <div className="flex flex-col gap-3">
            {first && <p className="eyebrow">First look</p>}
            <BloomTable
              petals={latest.areas}
              caption={first ? 'First look at your eight skills' : 'Your eight skills'}
            />
            <p className="text-xs text-muted">
              From {dayText(latest.attempt.submitted_at, timeZone)}.
              {first && ' One question per skill is only a sketch; the full quiz asks four.'}
            </p>
          </div>
        </div>
      ) : (
        <EmptyState title="Eight petals will grow here">
          One for each skill, as long as its score. Take the full quiz, or the eight-question first
          look, to see yours.
        </EmptyState>
      )}
    </section>
  );
}

export default screen(HomeScreen);
