import type { ChangedAnswer, ComparedArea, Comparison, Verdict } from '#data/skills.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import {
  answerWords,
  comparedPetals,
  directionOf,
  isComparable,
  limitWords,
  movedWords,
  summaryOf,
} from './comparison.ts';

/** Compares two results: in one bloom, in numbers, and answer by answer. */
export function ComparisonDetails({ comparison }: { comparison: Comparison }) {
  const isCompared = isComparable(comparison);
  // Where no area is compared, eight lines would say so; what's left are answers to the same question.
  const shown = comparison.areas
    .filter(({ changed }) => isCompared || changed.length > 0)
    .toSorted((a, b) => Number(b.changed.length > 0) - Number(a.changed.length > 0));
  return (
    <>
      <p className="mt-4 max-w-[68ch]">
        {summaryOf(comparison)}
        {comparison.earlier.version_number !== comparison.later.version_number && (
          <>
            {' '}
            <a className="link" href={hrefFor('/pages/[slug]', { slug: 'why-these-questions' })}>
              Why the questions changed
            </a>
          </>
        )}
      </p>
      {isCompared && <Charts comparison={comparison} />}
      {shown.length > 0 && (
        <ul className="mt-5 flex flex-col divide-y divide-line border-y border-line">
          {shown.map((area) => (
            <li key={area.area_key}>
              <ChangedArea area={area} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The compared areas in one bloom, and in numbers. */
function Charts({ comparison }: { comparison: Comparison }) {
  const { petals, earlier } = comparedPetals(comparison);
  return (
    <div className="mt-5 grid items-center gap-x-10 gap-y-5 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <Bloom petals={petals} earlier={earlier} className="mx-auto w-full max-w-[24rem]" />
      <div className="flex flex-col gap-3">
        <BloomTable
          petals={petals}
          earlier={earlier}
          caption="Scores both times, on the questions that didn’t change"
        />
        <p className="text-xs text-muted">
          The dashed outline is the earlier quiz. We compare only questions that mean the same thing
          and were answered both times. “Improved” means up at least two answer steps.
        </p>
      </div>
    </div>
  );
}

const VERDICTS: Record<Verdict, { words: string; look: string; sign: string }> = {
  improved: { words: 'Improved', look: 'text-level-strong-ink', sign: 'M5 1 9 8H1Z' },
  lower: { words: 'Lower', look: 'text-level-starting-ink', sign: 'M5 9 1 2h8Z' },
  steady: { words: 'No clear change', look: 'text-muted', sign: 'M1 4h8v2H1Z' },
  'not-compared': { words: 'Not compared', look: 'text-muted', sign: 'M4 4h2v2H4Z' },
};

function VerdictWord({ verdict }: { verdict: Verdict }) {
  const { words, look, sign } = VERDICTS[verdict];
  return (
    <span className={`inline-flex items-center gap-1.5 text-xs font-semibold ${look}`}>
      <svg viewBox="0 0 10 10" className="size-2.5 fill-current" aria-hidden="true">
        <path d={sign} />
      </svg>
      {words}
    </span>
  );
}

/** One area: its verdict, and the answers that changed. */
function ChangedArea({ area }: { area: ComparedArea }) {
  const { name, verdict, changed } = area;
  const moved = movedWords(area);
  const limit = limitWords(area);
  const isSame = changed.length === 0 && verdict === 'steady';
  const head = (
    <span className="inline-flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
      <strong className="font-semibold">{name}</strong>
      {!isSame && <VerdictWord verdict={verdict} />}
      {moved && <span className="text-xs text-muted figures">{moved}</span>}
    </span>
  );
  if (changed.length === 0) {
    return (
      <div className="py-3.5 pl-4.5 text-sm">
        {head}
        {limit && <p className="mt-0.5 text-xs text-muted">{limit}</p>}
      </div>
    );
  }
  return (
    <details className="group py-1 text-sm">
      <summary className="flex min-h-11 list-none items-baseline gap-2 py-2.5">
        <svg
          viewBox="0 0 10 10"
          className="size-2.5 shrink-0 stroke-current transition-transform group-open:rotate-90"
          fill="none"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="m3 1 4 4-4 4" />
        </svg>
        {head}
      </summary>
      <div className="pb-4 pl-4.5">
        {limit && <p className="mb-2 text-xs text-muted">{limit}</p>}
        <ul className="grid gap-x-10 gap-y-4 lg:grid-cols-2">
          {changed.map((answer) => (
            <Changed key={answer.question_key} answer={answer} />
          ))}
        </ul>
      </div>
    </details>
  );
}

const WAYS = { up: 'Up', down: 'Down' } as const;

/** One answer that changed: the option chosen before, and the one chosen now. */
function Changed({ answer }: { answer: ChangedAnswer }) {
  const way = directionOf(answer);
  return (
    <li>
      <p className="text-muted">{answer.text}</p>
      <dl className="mt-1 grid max-w-[68ch] grid-cols-[3.75rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <dt className="text-xs leading-6 text-muted">Earlier</dt>
        <dd>
          {answerWords(answer.earlier)} <Value of={answer.earlier.value} />
        </dd>
        <dt className="text-xs leading-6 text-muted">Later</dt>
        <dd className="font-medium">
          {answerWords(answer.later)} <Value of={answer.later.value} />
          <span className="ml-2 text-xs font-normal text-muted">
            {way ? WAYS[way] : 'Not counted'}
          </span>
        </dd>
      </dl>
    </li>
  );
}

function Value({ of }: { of: number | null }) {
  if (of === null) return null;
  return <span className="font-normal whitespace-nowrap text-muted figures">({of} of 4)</span>;
}
