import type { ReactNode } from 'react';
import type { SurveyResults, SurveyResultsPage } from '#data/survey-results.ts';
import { responseRateText, type SurveyResultsFilter } from '#domain/survey-results.ts';
import { dayText } from '#lib/locale/dates.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { Choices } from './survey/Choices.tsx';
import { Comments } from './survey/Comments.tsx';
import { Cuts, GROUP_LABELS } from './survey/Cuts.tsx';
import { TOTALS, totalText } from './survey/figure-text.ts';
import { Recommendation, Statements } from './survey/Statements.tsx';

interface ResultsProps {
  page: SurveyResultsPage;
  filter: SurveyResultsFilter;
  timeZone: string;
  /** What an admin can do with the survey. */
  actions?: ReactNode;
}

/** What clients say about the help they got. Rendered on the server only; it needs no scripts. */
function SurveyResultsScreen({ page, filter, timeZone, actions }: ResultsProps) {
  const { survey } = page;
  const hasAny = survey?.quarters.length || survey?.links.length;
  return (
    <div data-wide className="flex flex-col gap-8">
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div>
          <h1>Survey results</h1>
          {survey && <About survey={survey} timeZone={timeZone} />}
        </div>
        {actions}
      </header>
      <Choices page={page} filter={filter} timeZone={timeZone} />
      {survey && <Invitations survey={survey} />}
      {survey && hasAny ? (
        <>
          <Totals survey={survey} />
          <Statements survey={survey} />
          <Recommendation survey={survey} />
          <Cuts survey={survey} />
          <Comments survey={survey} />
        </>
      ) : (
        <EmptyState title={survey ? 'Not shown: fewer than five' : 'No survey yet'}>
          Results start with the first five responses of a kind: five by personal links, or five by
          the public link. We’ll notify you.
        </EmptyState>
      )}
    </div>
  );
}

/** Which survey it is, and what its people were promised. */
function About({ survey, timeZone }: { survey: SurveyResults; timeZone: string }) {
  const { title, opened_at, closed_at, privacy, public_link, grouped_by } = survey;
  const opened = dayText(opened_at, timeZone);
  const when = closed_at
    ? `Open from ${opened} to ${dayText(closed_at, timeZone)}`
    : `Open since ${opened}`;
  const by = grouped_by ? `, compared by ${GROUP_LABELS[grouped_by].toLowerCase()}` : '';
  return (
    <p className="mt-2 max-w-prose text-muted">
      “{title}” {when}, {privacy}
      {by}, {public_link ? 'by personal links and a public one' : 'by personal links only'}.
    </p>
  );
}

function Invitations({ survey: { invitations } }: { survey: SurveyResults }) {
  const { sent, expired, reminded } = invitations;
  return (
    <p className="text-sm">
      <span className="font-semibold">Response rate: </span>
      {responseRateText(invitations) ?? 'no personal links sent yet'}
      {sent > 0 && (
        <span className="text-muted">
          {' '}
          of the personal links we sent. {reminded} reminded, {expired} expired without an answer.
        </span>
      )}
    </p>
  );
}

function Totals({ survey }: { survey: SurveyResults }) {
  return (
    <Section id="totals" title="At a glance" titleClass="text-xl">
      <dl className="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {TOTALS.map(({ key, label, note }) => (
          <div key={key} className="card flex flex-col gap-2 p-5">
            <dt className="text-sm text-muted">{label}</dt>
            {survey.figures[key] === null ? (
              <>
                <dd className="text-2xl text-muted" aria-hidden="true">
                  –
                </dd>
                <dd className="text-xs text-muted first-letter:uppercase">
                  {totalText(survey.figures, key)}
                </dd>
              </>
            ) : (
              <>
                <dd className="font-display text-2xl tabular-nums">
                  {totalText(survey.figures, key)}
                </dd>
                <dd className="text-xs text-muted">{note}</dd>
              </>
            )}
          </div>
        ))}
      </dl>
    </Section>
  );
}

export default screen(SurveyResultsScreen);
