import type { AttemptPage, AttemptSummary } from '#data/skills.ts';
import { KIND_LABELS } from '#domain/attempt.ts';
import { levelOf } from '#domain/level.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';

interface AttemptsProps {
  page: AttemptPage;
  /** Whether this is a page of older attempts. */
  older: boolean;
  timeZone: string;
}

const COLUMNS = [
  ['Date', ''],
  ['Kind', 'pl-3'],
  ['Overall', 'pl-3 text-right'],
  ['Level', 'pl-4 max-sm:hidden'],
] as const;

/** All past attempts, twenty per page, including expired and voided ones. */
export function AttemptsSection({ page, older, timeZone }: AttemptsProps) {
  if (page.items.length === 0 && !older) return null;
  const here = hrefFor('/dashboard/skills/over-time');
  const last = page.items.at(-1);
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts" className="scroll-mt-20">
        Quizzes you’ve taken
      </h2>
      {page.items.length === 0 ? (
        <p className="mt-2 text-muted">No earlier quizzes.</p>
      ) : (
        <table className="rows mt-4 w-full text-left text-sm">
          <caption className="sr-only">Quizzes, newest first</caption>
          <thead className="text-xs text-muted">
            <tr>
              {COLUMNS.map(([title, look]) => (
                <th key={title} scope="col" className={`pb-2 font-medium ${look}`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.items.map((attempt) => (
              <Attempt key={attempt.id} attempt={attempt} timeZone={timeZone} />
            ))}
          </tbody>
        </table>
      )}
      {(older || page.more) && (
        <p className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm">
          {older && (
            <a className="link" href={`${here}#attempts`}>
              Latest quizzes
            </a>
          )}
          {page.more && last && (
            <a className="link" href={`${here}?before=${last.id}#attempts`}>
              Earlier quizzes
            </a>
          )}
        </p>
      )}
    </section>
  );
}

function Attempt({ attempt, timeZone }: { attempt: AttemptSummary; timeZone: string }) {
  const full = attempt.kind === 'full';
  return (
    <tr>
      <th scope="row" className="font-normal">
        <a className="link" href={hrefFor('/dashboard/skills/quiz/[id]', { id: attempt.id })}>
          {dayText(attempt.submitted_at ?? attempt.started_at, timeZone)}
        </a>
      </th>
      <td className="pl-3">
        {KIND_LABELS[attempt.kind]}
        {attempt.state === 'expired' && ', never finished'}
        {attempt.state === 'voided' && ', not counted'}
      </td>
      {/* A first look is a sketch, with one question per area: no level, and a muted score. */}
      <td className={full ? 'pl-3 text-right font-semibold' : 'pl-3 text-right text-muted'}>
        {scoreText(attempt.overall_score)}
      </td>
      <td className="pl-4 max-sm:hidden">
        {full && attempt.overall_score !== null && (
          <LevelWord level={levelOf(attempt.overall_score)} />
        )}
      </td>
    </tr>
  );
}
