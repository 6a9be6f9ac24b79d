import type { ReactNode } from 'react';
import type { AttemptView } from '#data/attempts.ts';
import type { Result } from '#data/skills.ts';
import { questionsTake } from '#domain/quiz-time.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Bars } from '#ui/charts/Bars.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AreaSection } from './AreaSection.tsx';
import { ComparisonDetails } from './ComparisonDetails.tsx';
import { summaryOf } from './comparison.ts';
import { OverallScore } from './OverallScore.tsx';
import { ResultsOpening } from './ResultsOpening.tsx';
import { areaResults, confidenceSentence, petalsOf } from './results.ts';

interface ResultsProps {
  result: Result;
  /** The reader's IANA time zone. */
  timeZone: string;
  /** The island with what to work on. */
  recommendations?: ReactNode;
  /** The island that prints. */
  print?: ReactNode;
  /** The island that names a first business. */
  business?: ReactNode;
}

/** The results of an attempt. Server-rendered except for its islands. */
function ResultsScreen({ result, timeZone, recommendations, print, business }: ResultsProps) {
  const { mine } = result.attempt;
  return (
    <div className="flex flex-col gap-10 pt-4 md:pt-8 print:gap-3 print:pt-0 print:[zoom:0.78]">
      <Heading view={result} timeZone={timeZone} print={print} />
      <ResultsOpening view={result} />
      <Scores view={result} />
      {business}
      <FirstLook {...result} />
      {recommendations}
      {result.comparison && (
        <Comparison comparison={result.comparison} mine={mine} timeZone={timeZone} />
      )}
      <Confidence view={result} />
      <section aria-labelledby="areas">
        <h2 id="areas">Area by area</h2>
        <div className="mt-2 print:mt-0 print:columns-2 print:gap-8">
          {areaResults(result).map((each) => (
            <AreaSection key={each.area.key} result={each} mine={mine} />
          ))}
        </div>
      </section>
      <Others others={result.others} timeZone={timeZone} />
    </div>
  );
}

function Scores({ view }: { view: AttemptView }) {
  const { attempt, scores } = view;
  const petals = petalsOf(view);
  return (
    <section
      aria-labelledby="scores"
      className="card grid gap-x-12 gap-y-6 p-5 md:p-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] print:grid-cols-2 print:gap-x-6 print:border-0 print:p-0"
    >
      <h2 id="scores" className="sr-only">
        Scores
      </h2>
      <Bloom petals={petals} className="mx-auto max-w-[30rem] self-center print:max-w-[19rem]" />
      <div className="flex flex-col justify-center gap-5 print:gap-2">
        <OverallScore
          overall={attempt.overall_score}
          kind={attempt.kind}
          scored={scores.filter(({ score }) => score !== null).length}
        />
        <BloomTable
          petals={petals}
          caption="Eight skills"
          hrefOf={(key) => `#area-${key}`}
          className="print:[&_:is(th,td)]:py-0.5"
        />
        <p className="text-xs text-muted">
          Starting is below 25, Developing below 50, Established below 75, and Strong 75 to 100.
        </p>
      </div>
    </section>
  );
}

interface ComparisonProps {
  comparison: NonNullable<Result['comparison']>;
  mine: boolean;
  timeZone: string;
}

/**
 * What changed since the quiz before: in a sentence for the owner, whose skills page has the rest,
 * and answer by answer for others, who don't have that page.
 */
function Comparison({ comparison, mine, timeZone }: ComparisonProps) {
  const { id, submitted_at } = comparison.earlier;
  const pair = `earlier=${id}&later=${comparison.later.id}`;
  return (
    <section aria-labelledby="changed" className={mine ? undefined : 'print:hidden'}>
      <h2 id="changed">What’s changed</h2>
      <p className="mt-1 mb-4 text-sm text-muted">
        Since the full quiz on{' '}
        <a className="link" href={hrefFor('/dashboard/skills/quiz/[id]', { id })}>
          {dayText(submitted_at, timeZone)}
        </a>
      </p>
      {mine ? (
        <p className="max-w-[68ch]">
          {summaryOf(comparison)}{' '}
          <a
            className="link print:hidden"
            href={`${hrefFor('/dashboard/skills/over-time')}?${pair}`}
          >
            See what changed, answer by answer
          </a>
        </p>
      ) : (
        <ComparisonDetails comparison={comparison} />
      )}
    </section>
  );
}

/** The scores next to the owner's confidence, if they rated it. */
function Confidence({ view }: { view: AttemptView }) {
  const { mine } = view.attempt;
  const areas = areaResults(view);
  const petals = petalsOf(view);
  if (areas.every(({ rating }) => rating === null)) return null;
  return (
    <section
      aria-labelledby="confidence"
      className="grid gap-x-10 gap-y-5 lg:grid-cols-[20rem_minmax(0,1fr)] print:hidden"
    >
      <div>
        <h2 id="confidence">Confidence and answers</h2>
        <p className="mt-2 max-w-[60ch] text-muted">
          The bar is what the answers add up to, and the mark is how sure{' '}
          {mine ? 'you were' : `${ownerName(view)} was`}. Look closer at any gap of 25 or more.
        </p>
      </div>
      <Bars
        label="Scores and confidence"
        markLabel="Confidence, on the same scale"
        bars={areas.map((each, index) => {
          const sentence = confidenceSentence(each, mine);
          return {
            ...(petals[index] as (typeof petals)[number]),
            mark: each.rating === null ? null : 25 * (each.rating - 1),
            ...(sentence ? { note: sentence } : {}),
          };
        })}
      />
    </section>
  );
}

const ownerName = ({ attempt }: AttemptView) => attempt.owner_name || 'the owner';

const titleOf = ({ attempt }: AttemptView) =>
  attempt.mine ? 'Your results' : `${attempt.owner_name || 'The owner'}’s results`;

interface HeadingProps extends Pick<ResultsProps, 'timeZone' | 'print'> {
  view: AttemptView;
}

function Heading({ view, timeZone, print }: HeadingProps) {
  const { attempt, version } = view;
  const kind = attempt.kind === 'first_look' ? 'First look' : 'Full quiz';
  const facts = [
    attempt.submitted_at && dayText(attempt.submitted_at, timeZone),
    `Version ${version.number}`,
    attempt.kind === 'full' &&
      attempt.mine &&
      attempt.retake_after &&
      `Worth retaking after ${dayText(attempt.retake_after, timeZone)}`,
  ].filter(Boolean);
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
      <div>
        <p className="eyebrow">{[kind, attempt.business_name].filter(Boolean).join(' · ')}</p>
        <h1 className="mt-1 [overflow-wrap:anywhere]">{titleOf(view)}</h1>
        <p className="mt-2 text-sm text-muted">{facts.join(' · ')}</p>
      </div>
      <div className="flex flex-wrap gap-3 print:hidden">
        <Button
          variant="secondary"
          href={hrefFor('/dashboard/skills/quiz/[id].pdf', { id: attempt.id })}
        >
          One-page PDF
        </Button>
        {print}
      </div>
    </header>
  );
}

/** The other results of the same person and business. */
function Others({ others, timeZone }: Pick<Result, 'others'> & { timeZone: string }) {
  if (others.length === 0) return null;
  return (
    <nav aria-labelledby="others" className="print:hidden">
      <h2 id="others">Other results</h2>
      <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {others.map(({ id, kind, submitted_at }) => (
          <li key={id}>
            <a className="link" href={hrefFor('/dashboard/skills/quiz/[id]', { id })}>
              {dayText(submitted_at, timeZone)}
            </a>
            {kind === 'first_look' && <span className="text-muted"> (first look)</span>}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Says that these are the results of a first look, and what the rest of the quiz takes and adds. */
function FirstLook({ attempt, version, answers }: AttemptView) {
  if (attempt.kind !== 'first_look') return null;
  const rest = version.questions.length - answers.length;
  return (
    <Notice
      title="A first look, not a full result"
      action={
        attempt.mine && (
          <Button size="small" href={hrefFor('/dashboard/skills/quiz')} className="print:hidden">
            Answer the other {rest} questions
          </Button>
        )
      }
    >
      One question per area gives a sketch, and we won’t compare it later. The other {rest}{' '}
      questions take {questionsTake(rest)} and keep the answers so far. They show the weakest of
      four practices in each area, and give you scores to compare in 90 days.
    </Notice>
  );
}

export { recommendedOf } from './results.ts';
export default screen(ResultsScreen);
