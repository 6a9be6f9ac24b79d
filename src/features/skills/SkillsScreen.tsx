import type { ReactNode } from 'react';
import type { Skills, Standing } from '#data/skills.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { summaryOf } from './comparison.ts';
import { OverallScore } from './OverallScore.tsx';

interface SkillsProps {
  skills: Pick<Skills, 'open_attempt' | 'latest' | 'comparison' | 'coaching'>;
  /** The reader's IANA time zone. */
  timeZone: string;
  /** ISO 8601, now. */
  now: string;
  /** The island with what the owner is working on. */
  focus?: ReactNode;
}

/**
 * The skills of one business now: the open quiz, the latest scores, what the owner is working on and
 * who sees the results. Server-rendered except for one island.
 */
function SkillsScreen(props: SkillsProps) {
  const { skills, timeZone, now, focus } = props;
  const { open_attempt: open, latest, comparison } = skills;
  const quiz = hrefFor('/dashboard/skills/quiz');
  return (
    <div className="flex flex-col gap-8">
      {open && <OpenAttempt open={open} timeZone={timeZone} />}
      {!open && latest && <Retake latest={latest} quiz={quiz} now={now} timeZone={timeZone} />}
      {latest ? (
        <Latest latest={latest} timeZone={timeZone} />
      ) : (
        !open && (
          <EmptyState title="No results yet" action={<Button href={quiz}>Start the quiz</Button>}>
            32 questions about eight skills, about 15 minutes. We save each answer, so you can stop
            and pick it up later.
          </EmptyState>
        )
      )}
      {comparison && <Changed comparison={comparison} />}
      {latest && focus}
      {latest && skills.coaching && <Shared coaching={skills.coaching} />}
    </div>
  );
}

/** Who reads the results, in a sentence. */
function Shared({ coaching }: { coaching: NonNullable<Skills['coaching']> }) {
  const coach = coaching.coach_name ?? 'the coach you get';
  return (
    <p id="sharing" className="max-w-[68ch]">
      {coaching.results_shared
        ? `You share your results with ${coach}.`
        : 'You don’t share your results with anyone.'}{' '}
      <a className="link" href={hrefFor('/dashboard/skills/sharing')}>
        {coaching.results_shared ? 'Change that' : 'Share them'}
      </a>
    </p>
  );
}

/** What changed since the quiz before, in a sentence. */
function Changed({ comparison }: { comparison: NonNullable<Skills['comparison']> }) {
  return (
    <p className="max-w-[68ch]">
      {summaryOf(comparison)}{' '}
      <a className="link" href={hrefFor('/dashboard/skills/over-time')}>
        See what changed
      </a>
    </p>
  );
}

function OpenAttempt({
  open,
  timeZone,
}: {
  open: NonNullable<Skills['open_attempt']>;
  timeZone: string;
}) {
  const left = open.asked - open.answered;
  return (
    <section
      aria-labelledby="open"
      className="card flex flex-wrap items-end justify-between gap-x-10 gap-y-5 p-6 md:p-8"
    >
      <div className="max-w-xl grow basis-72">
        <p className="eyebrow">Started on {dayText(open.started_at, timeZone)}</p>
        <h2 id="open" className="mt-1">
          {left === 0 ? 'You’ve answered every question' : 'You have a quiz in progress'}
        </h2>
        <p className="mt-2 mb-3 text-sm text-muted">
          {left === 0
            ? 'Finish it to get your scores.'
            : `${open.answered} of ${open.asked} questions answered. It stays open for 180 days.`}
        </p>
        <Progress value={open.answered} max={open.asked} label="Questions answered" />
      </div>
      <Button href={hrefFor('/dashboard/skills/quiz/[id]', { id: open.id })}>
        {left === 0 ? 'Finish the quiz' : 'Continue the quiz'}
      </Button>
    </section>
  );
}

interface RetakeProps {
  latest: Standing;
  quiz: string;
  now: string;
  timeZone: string;
}

/** What comes after the latest results: the full quiz, or a retake after 90 days. */
function Retake({ latest, quiz, now, timeZone }: RetakeProps) {
  const { kind, retake_after: after } = latest.attempt;
  const isFirst = kind === 'first_look';
  if (!isFirst && Date.parse(after) > Date.parse(now)) {
    return (
      <p className="-mt-5 text-sm text-muted">
        Worth retaking after {dayText(after, timeZone)}, when things have had time to change.{' '}
        <a className="link" href={quiz}>
          Take it early
        </a>
      </p>
    );
  }
  return (
    <Notice
      title={isFirst ? 'You’ve taken the first look' : 'Time to look again'}
      action={
        <Button size="small" href={quiz}>
          {isFirst ? 'Start the full quiz' : 'Take the quiz again'}
        </Button>
      }
    >
      {isFirst
        ? 'The full quiz asks four questions per area instead of one, and keeps your answers so far.'
        : 'Your last results are more than 90 days old. See what’s changed since.'}
    </Notice>
  );
}

function Latest({ latest, timeZone }: Pick<RetakeProps, 'latest' | 'timeZone'>) {
  const { attempt, areas } = latest;
  return (
    <section aria-labelledby="latest" className="card p-6 md:p-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="latest">{attempt.kind === 'first_look' ? 'First look' : 'Latest results'}</h2>
        <p className="text-sm text-muted">{dayText(attempt.submitted_at, timeZone)}</p>
      </div>
      <div className="mt-6 grid items-center gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <Bloom petals={areas} className="mx-auto w-full max-w-[26rem]" />
        <div className="flex flex-col gap-5">
          <OverallScore
            overall={attempt.overall_score}
            kind={attempt.kind}
            scored={areas.filter(({ score }) => score !== null).length}
          />
          <BloomTable petals={areas} caption="Your eight skills" />
          <Button
            className="self-start"
            variant="secondary"
            href={hrefFor('/dashboard/skills/quiz/[id]', { id: attempt.id })}
          >
            What it means and what to do
          </Button>
        </div>
      </div>
    </section>
  );
}

export default screen(SkillsScreen);
