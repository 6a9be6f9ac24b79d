import type { QuizStatistics } from '#data/quiz-versions.ts';
import { SCALE } from '#domain/quiz-version.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { Notice } from '#ui/Notice.tsx';
import { Section } from '#ui/Section.tsx';

type Area = QuizStatistics['areas'][number];
type Item = Area['questions'][number];

const figure = (value: number | null) => (value === null ? '–' : value.toFixed(2));

/** How the questions of a published version work. */
export function Statistics({ statistics }: { statistics: QuizStatistics }) {
  const { attempts, fewest } = statistics;
  const missing = fewest - attempts;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="max-w-[68ch] text-sm text-muted">
        <p>
          From {attempts === 1 ? 'one finished quiz' : `${wholeText(attempts)} finished quizzes`}{' '}
          with all questions. First looks and quizzes that were set aside don’t count.
        </p>
        {missing > 0 && (
          <Notice className="mt-4" title={`${wholeText(missing)} more to go`}>
            Answers are shown from {fewest} finished quizzes on, so that nobody’s can be told apart.
          </Notice>
        )}
        <HowToRead />
      </div>
      {statistics.areas.map((area) => (
        <AreaStatistics key={area.key} area={area} statistics={statistics} />
      ))}
    </div>
  );
}

const HowToRead = () => (
  <details className="mt-3">
    <summary className="link inline-flex min-h-11 items-center">What the figures mean</summary>
    <dl className="flex flex-col gap-2 border-l-2 border-line pl-4">
      <div>
        <dt className="font-semibold text-ink">Average and spread</dt>
        <dd>
          The mean answer from 0 to 4, and the standard deviation. With a spread near 0, everyone
          answers the same, and the question tells little.
        </dd>
      </div>
      <div>
        <dt className="font-semibold text-ink">Discrimination</dt>
        <dd>
          The correlation of a question with the sum of the others in its area (corrected item–total
          correlation; Nunnally and Bernstein, “Psychometric theory,” 1994). Below 0.3, look at
          whether the question belongs there.
        </dd>
      </div>
      <div>
        <dt className="font-semibold text-ink">Reliability</dt>
        <dd>
          Cronbach’s alpha, up to 1 (Cronbach, “Coefficient alpha and the internal structure of
          tests,” Psychometrika 16, 1951). With four questions, 0.7 is good. Like discrimination,
          it’s computed from quizzes that answered the whole area.
        </dd>
      </div>
    </dl>
  </details>
);

function reliabilityText({ alpha, complete }: Area, fewest: number): string {
  if (complete < fewest) {
    return `Reliability and discrimination need ${fewest} quizzes that answered the whole area. There ${complete === 1 ? 'is 1' : `are ${complete}`} so far.`;
  }
  return alpha === null
    ? 'Everyone’s answers are the same, so there’s no reliability to compute.'
    : `Reliability: ${alpha.toFixed(2)}, from ${wholeText(complete)} quizzes that answered the whole area.`;
}

function AreaStatistics({ area, statistics }: { area: Area; statistics: QuizStatistics }) {
  return (
    <Section id={`statistics-${area.key}`} title={area.name} className="card p-5 md:p-6">
      <p className="mt-1 text-sm text-muted">{reliabilityText(area, statistics.fewest_complete)}</p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
        tabIndex={0}
        aria-label={`Figures for ${area.name.toLowerCase()}`}
        className="relative mt-3 overflow-x-auto"
      >
        <table className="w-full text-sm">
          <caption className="sr-only">Questions about {area.name.toLowerCase()}</caption>
          <thead className="text-left text-xs text-muted">
            <tr>
              <th scope="col" className="py-2 pr-4 font-normal">
                Question
              </th>
              <th scope="col" className="px-3 py-2 text-right font-normal">
                Answers
              </th>
              <th scope="col" className="px-3 py-2 text-right font-normal">
                Doesn’t apply
              </th>
              <th scope="col" className="px-3 py-2 font-normal">
                0 to 4
              </th>
              <th scope="col" className="px-3 py-2 text-right font-normal">
                Average
              </th>
              <th scope="col" className="px-3 py-2 text-right font-normal">
                Spread
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-normal">
                Discrimination
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {area.questions.map((item) => (
              <Row key={item.key} item={item} />
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

function Row({ item }: { item: Item }) {
  const { practice, text, answers, not_applicable, counts } = item;
  const asked = answers + not_applicable;
  return (
    <tr>
      <th scope="row" className="min-w-48 py-3 pr-4 text-left font-normal">
        <span className="font-semibold">{practice}</span>
        <span className="block text-xs text-muted">{text}</span>
      </th>
      <td className="px-3 text-right figures">{wholeText(answers)}</td>
      <td className="px-3 text-right figures">
        {asked === 0 || counts === null ? '–' : `${Math.round((100 * not_applicable) / asked)}%`}
      </td>
      <td className="px-3">{counts ? <Distribution counts={counts} /> : '–'}</td>
      <td className="px-3 text-right figures">{figure(item.mean)}</td>
      <td className="px-3 text-right figures">{figure(item.sd)}</td>
      <td className="pl-3 text-right figures">{figure(item.discrimination)}</td>
    </tr>
  );
}

/** How often each answer was given, as five columns. */
function Distribution({ counts }: { counts: readonly number[] }) {
  const most = Math.max(...counts, 1);
  return (
    <>
      <span className="sr-only">
        {counts.map((count, value) => `${SCALE[value]}: ${count}`).join('; ')}
      </span>
      <svg viewBox="0 0 70 36" className="h-9 w-[70px]" aria-hidden="true">
        {counts.map((count, value) => {
          const high = (count / most) * 32;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the answers are 0 to 4
              key={value}
              x={value * 14 + 1}
              y={34 - high}
              width="11"
              height={Math.max(high, count > 0 ? 1 : 0)}
              className="fill-leaf"
            />
          );
        })}
        <path d="M0 34.5h70" className="stroke-edge" />
      </svg>
    </>
  );
}
