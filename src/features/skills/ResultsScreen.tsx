import type { ReactNode } from 'react';
import type { AttemptView } from '#data/attempts.ts';
import type { Result } from '#data/skills.ts';
import type { Language, Say } from '#domain/language.ts';
import { minutesFor } from '#domain/quiz-time.ts';
import { dayIn } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Bars } from '#ui/charts/Bars.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AreaSection } from './AreaSection.tsx';
import { ComparisonDetails } from './ComparisonDetails.tsx';
import { isComparable, summaryOf } from './comparison.ts';
import { OverallScore } from './OverallScore.tsx';
import { ResultsOpening } from './ResultsOpening.tsx';
import { areaResults, confidenceSentence, newerOf, petalsOf } from './results.ts';

interface ResultsProps {
  result: Result;
  language: Language;
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
function ResultsScreen({
  result,
  timeZone,
  language,
  recommendations,
  print,
  business,
}: ResultsProps) {
  const say = useSay();
  const { mine } = result.attempt;
  return (
    <div className="flex flex-col gap-10 pt-4 md:pt-8 print:gap-3 print:pt-0 print:[zoom:0.78]">
      <Heading view={result} {...{ timeZone, language, print }} />
      <ResultsOpening view={result} />
      <Scores view={result} />
      {business}
      <FirstLook {...result} />
      {recommendations}
      {result.comparison && (
        <Comparison comparison={result.comparison} {...{ mine, timeZone, language }} />
      )}
      <Confidence view={result} />
      <section aria-labelledby="areas">
        <h2 id="areas">{say('Area by area')}</h2>
        <div className="mt-2 print:mt-0 print:columns-2 print:gap-8">
          {areaResults(result).map((each) => (
            <AreaSection key={each.area.key} result={each} mine={mine} />
          ))}
        </div>
      </section>
      <Others others={result.others} {...{ timeZone, language }} />
    </div>
  );
}

function Scores({ view }: { view: AttemptView }) {
  const say = useSay();
  const { attempt, scores } = view;
  const petals = petalsOf(view);
  return (
    <section
      aria-labelledby="scores"
      className="card grid gap-x-12 gap-y-6 p-5 md:p-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] print:grid-cols-2 print:gap-x-6 print:border-0 print:p-0"
    >
      <h2 id="scores" className="sr-only">
        {say('Scores')}
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
          caption={say('Eight skills')}
          hrefOf={(key) => `#area-${key}`}
          className="print:[&_:is(th,td)]:py-0.5"
        />
        <p className="text-xs text-muted">
          {say(
            'Starting is below 25, Developing below 50, Established below 75, and Strong 75 to 100.',
          )}
        </p>
      </div>
    </section>
  );
}

interface ComparisonProps {
  comparison: NonNullable<Result['comparison']>;
  mine: boolean;
  timeZone: string;
  language: Language;
}

/**
 * What changed since the quiz before: in a sentence for the owner, whose skills page has the rest,
 * and answer by answer for others, who don't have that page.
 */
function Comparison({ comparison, mine, timeZone, language }: ComparisonProps) {
  const say = useSay();
  const { id, submitted_at } = comparison.earlier;
  const pair = `earlier=${id}&later=${comparison.later.id}`;
  return (
    <section aria-labelledby="changed" className={mine ? undefined : 'print:hidden'}>
      <h2 id="changed">{say('What’s changed')}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">
        {say('Since the full quiz on')}{' '}
        <a className="link" href={hrefFor('/dashboard/skills/quiz/[id]', { id })}>
          {dayIn(language, submitted_at, timeZone)}
        </a>
      </p>
      {mine ? (
        <p className="max-w-[68ch]">
          {summaryOf(comparison, say)}{' '}
          {isComparable(comparison) && (
            <a
              className="link print:hidden"
              href={`${hrefFor('/dashboard/skills/over-time')}?${pair}`}
            >
              {say('See what changed, answer by answer')}
            </a>
          )}
        </p>
      ) : (
        <ComparisonDetails comparison={comparison} />
      )}
    </section>
  );
}

/** The scores next to the owner's confidence, if they rated it. */
function Confidence({ view }: { view: AttemptView }) {
  const say = useSay();
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
        <h2 id="confidence">{say('Confidence and answers')}</h2>
        <p className="mt-2 max-w-[60ch] text-muted">
          {mine
            ? say(
                'The bar is what the answers add up to, and the mark is how sure you were. Look closer at any gap of 25 or more.',
              )
            : say(
                'The bar is what the answers add up to, and the mark is how sure {owner} was. Look closer at any gap of 25 or more.',
                { owner: view.attempt.owner_name || say('the owner') },
              )}
        </p>
      </div>
      <Bars
        label={say('Scores and confidence')}
        markLabel={say('Confidence, on the same scale')}
        bars={areas.map((each, index) => {
          const sentence = confidenceSentence(each, mine, say);
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

const titleOf = ({ attempt }: AttemptView, say: Say) =>
  attempt.mine
    ? say('Your results')
    : say('{owner}’s results', { owner: attempt.owner_name || say('The owner') });

interface HeadingProps extends Pick<ResultsProps, 'timeZone' | 'language' | 'print'> {
  view: Result;
}

function Heading({ view, timeZone, language, print }: HeadingProps) {
  const say = useSay();
  const { attempt, version } = view;
  const kind = attempt.kind === 'first_look' ? say('First look') : say('Full quiz');
  const newer = newerOf(view);
  const facts = [
    attempt.submitted_at && dayIn(language, attempt.submitted_at, timeZone),
    !attempt.mine && say('Version {number}', { number: version.number }),
    attempt.kind === 'full' &&
      attempt.mine &&
      !newer &&
      attempt.retake_after &&
      say('Worth retaking after {day}', {
        day: dayIn(language, attempt.retake_after, timeZone),
      }),
  ].filter(Boolean);
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 md:flex-nowrap">
      <div>
        <p className="eyebrow">{[kind, attempt.business_name].filter(Boolean).join(' · ')}</p>
        <h1 className="mt-1 [overflow-wrap:anywhere]">{titleOf(view, say)}</h1>
        <p className="mt-2 text-sm text-muted">{facts.join(' · ')}</p>
        {newer && (
          <p className="mt-3">
            {say('An earlier result. The latest is from {day}.', {
              day: dayIn(language, newer.submitted_at, timeZone),
            })}{' '}
            <a
              className="link whitespace-nowrap print:hidden"
              href={hrefFor('/dashboard/skills/quiz/[id]', { id: newer.id })}
            >
              {say('See the latest')}
            </a>
          </p>
        )}
      </div>
      <div className="flex shrink-0 flex-wrap gap-3 print:hidden">
        <Button
          variant="secondary"
          size="small"
          href={hrefFor('/dashboard/skills/quiz/[id].pdf', { id: attempt.id })}
        >
          {say('One-page PDF')}
        </Button>
        {print}
      </div>
    </header>
  );
}

/** The other results of the same person and business. */
function Others({
  others,
  timeZone,
  language,
}: Pick<Result, 'others'> & Pick<ResultsProps, 'timeZone' | 'language'>) {
  const say = useSay();
  if (others.length === 0) return null;
  return (
    <nav aria-labelledby="others" className="print:hidden">
      <h2 id="others">{say('Other results')}</h2>
      <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {others.map(({ id, kind, submitted_at }) => (
          <li key={id}>
            <a className="link" href={hrefFor('/dashboard/skills/quiz/[id]', { id })}>
              {dayIn(language, submitted_at, timeZone)}
            </a>
            {kind === 'first_look' && <span className="text-muted"> {say('(first look)')}</span>}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Says that these are the results of a first look, and what the rest of the quiz takes and adds. */
function FirstLook({ attempt, version, answers }: AttemptView) {
  const say = useSay();
  if (attempt.kind !== 'first_look') return null;
  const rest = version.questions.length - answers.length;
  return (
    <Notice
      title={say('A first look, not a full result')}
      action={
        attempt.mine && (
          <Button size="small" href={hrefFor('/dashboard/skills/quiz')} className="print:hidden">
            {say('Answer the other {count} questions', { count: rest })}
          </Button>
        )
      }
    >
      {say(
        'One question per area gives a sketch, and we won’t compare it later. The other {count} questions take about {minutes} minutes and keep the answers so far. They show the weakest of four practices in each area, and give you scores to compare in 90 days.',
        { count: rest, minutes: minutesFor(rest) },
      )}
    </Notice>
  );
}

export { recommendedOf } from './results.ts';
export default screen(ResultsScreen);
