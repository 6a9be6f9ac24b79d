import type { AttemptSummary, Skills } from '#data/attempts.ts';
import { dayText } from '#lib/dates.ts';
import { hrefFor } from '#lib/routes.ts';
import { Button } from '#ui/Button.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable, LevelWord } from '#ui/charts/BloomTable.tsx';
import { levelOf, scoreText } from '#ui/charts/levels.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { OverallScore } from './OverallScore.tsx';
import { petalsOf } from './results.ts';

interface SkillsProps {
  skills: Skills;
  /** The name of the current business; null while the person has none. */
  business: string | null;
  /** The reader's IANA time zone. */
  timeZone: string;
  /** ISO 8601, now. */
  today: string;
}

/** The skills of one business: what is open, the latest results, and every attempt so far. */
export default function SkillsScreen({ skills, business, timeZone, today }: SkillsProps) {
  const { open_attempt: open, latest } = skills;
  const past = skills.attempts.filter(({ state }) => state !== 'in_progress');
  const quiz = hrefFor('/dashboard/skills/quiz');
  return (
    <div className="flex flex-col gap-8">
      <header>
        {business && <p className="eyebrow [overflow-wrap:anywhere]">{business}</p>}
        <h1 className="mt-1">Skills</h1>
      </header>
      {open && <OpenAttempt open={open} timeZone={timeZone} />}
      {!open && latest && <Retake latest={latest} quiz={quiz} today={today} timeZone={timeZone} />}
      {latest ? (
        <Latest latest={latest} timeZone={timeZone} />
      ) : (
        !open && (
          <EmptyState title="No results yet" action={<Button href={quiz}>Start the quiz</Button>}>
            32 questions about eight skills, about 15 minutes. Answers are kept one by one, so you
            can stop and go on later.
          </EmptyState>
        )
      )}
      {past.length > 0 && (
        <section aria-labelledby="attempts">
          <h2 id="attempts">Every time so far</h2>
          <Attempts attempts={past} timeZone={timeZone} />
        </section>
      )}
    </div>
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
          {left === 0 ? 'All questions are answered' : 'A quiz is open'}
        </h2>
        <p className="mt-2 mb-3 text-sm text-muted">
          {left === 0
            ? 'Finish it, and your skills are worked out.'
            : `${open.answered} of ${open.asked} questions answered. It waits for 180 days.`}
        </p>
        <Progress value={open.answered} max={open.asked} label="Questions answered" />
      </div>
      <Button href={hrefFor('/dashboard/skills/quiz/[id]', { id: open.id })}>
        {left === 0 ? 'Finish' : 'Go on'}
      </Button>
    </section>
  );
}

interface RetakeProps {
  latest: NonNullable<Skills['latest']>;
  quiz: string;
  today: string;
  timeZone: string;
}

/** What comes after the latest results: the full quiz after a first look, a retake after 90 days. */
function Retake({ latest, quiz, today, timeZone }: RetakeProps) {
  const { kind, retake_after: after } = latest.attempt;
  if (kind === 'first_look') {
    return (
      <Notice
        title="So far there is a first look"
        action={
          <Button size="small" href={quiz}>
            Start the full quiz
          </Button>
        }
      >
        The full quiz asks four questions an area instead of one, and keeps what you answered.
      </Notice>
    );
  }
  if (after === null) return null;
  if (Date.parse(after) > Date.parse(today)) {
    return (
      <p className="-mt-5 text-sm text-muted">
        Worth taking again from {dayText(after, timeZone)}, when something has had time to change.{' '}
        <a className="link" href={quiz}>
          Take it now
        </a>
      </p>
    );
  }
  return (
    <Notice
      title="Time to look again"
      action={
        <Button size="small" href={quiz}>
          Take the quiz again
        </Button>
      }
    >
      Your last results are more than 90 days old. See what has changed since.
    </Notice>
  );
}

function Latest({ latest, timeZone }: Pick<RetakeProps, 'latest' | 'timeZone'>) {
  const petals = petalsOf(latest);
  const { attempt } = latest;
  return (
    <section aria-labelledby="latest" className="card p-6 md:p-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="latest">{attempt.kind === 'first_look' ? 'First look' : 'Latest results'}</h2>
        {attempt.submitted_at && (
          <p className="text-sm text-muted">{dayText(attempt.submitted_at, timeZone)}</p>
        )}
      </div>
      <div className="mt-6 grid items-center gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <Bloom petals={petals} className="mx-auto w-full max-w-[26rem]" />
        <div className="flex flex-col gap-5">
          <OverallScore view={latest} />
          <BloomTable petals={petals} caption="Your eight skills" />
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

const KINDS = { full: 'Full quiz', first_look: 'First look' } as const;

function Attempts({ attempts, timeZone }: { attempts: AttemptSummary[]; timeZone: string }) {
  return (
    <table className="rows mt-4 w-full text-left text-sm">
      <caption className="sr-only">Attempts, newest first</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="pb-2 font-medium">
            Date
          </th>
          <th scope="col" className="pb-2 pl-3 font-medium">
            Kind
          </th>
          <th scope="col" className="pb-2 pl-3 text-right font-medium">
            Overall
          </th>
          <th scope="col" className="pb-2 pl-4 font-medium max-sm:hidden">
            Level
          </th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <tr key={attempt.id}>
            <th scope="row" className="font-normal">
              <a className="link" href={hrefFor('/dashboard/skills/quiz/[id]', { id: attempt.id })}>
                {dayText(attempt.submitted_at ?? attempt.started_at, timeZone)}
              </a>
            </th>
            <td className="pl-3">
              {KINDS[attempt.kind]}
              {attempt.state === 'expired' && ', never finished'}
              {attempt.state === 'voided' && ', not counted'}
            </td>
            {/* One question an area is a sketch: its number stands apart and has no level. */}
            <td
              className={
                attempt.kind === 'full'
                  ? 'pl-3 text-right font-semibold'
                  : 'pl-3 text-right text-muted'
              }
            >
              {scoreText(attempt.overall_score)}
            </td>
            <td className="pl-4 max-sm:hidden">
              {attempt.kind === 'full' && attempt.overall_score !== null && (
                <LevelWord level={levelOf(attempt.overall_score)} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
