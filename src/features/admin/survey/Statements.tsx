import type { StatementFigures, SurveyResults } from '#data/survey-results.ts';
import { meanText, NOT_SHOWN, scoreText, shareText } from '#domain/survey-results.ts';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { ColumnChart } from '#ui/charts/ColumnChart.tsx';
import { StackChart } from '#ui/charts/StackChart.tsx';
import { Section } from '#ui/Section.tsx';
import { ResultTable } from './ResultTable.tsx';

const STEPS = ['1, not at all', '2', '3', '4', '5, completely'];

const numbered = (statement: string, place: number) => `${place + 1}. ${statement}`;

const valuesOf = (figures: StatementFigures | null) =>
  figures
    ? [figures.answers, shareText(figures.favorable), meanText(figures.mean), ...figures.counts]
    : Array<null>(8).fill(null);

/** How much people agree with each statement, drawn and in numbers. */
export function Statements({ survey }: { survey: SurveyResults }) {
  const { statements } = survey.figures;
  const shown = survey.statements.flatMap((statement, place) => {
    const figures = statements[place];
    return figures ? [{ label: numbered(statement, place), counts: figures.counts }] : [];
  });
  return (
    <Section id="statements" title="How much people agree" titleClass="text-xl">
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] items-start gap-5 2xl:grid-cols-2">
        {shown.length > 0 && (
          <figure className="chart card p-4 sm:p-6">
            <figcaption className="chart-note">
              Each bar is everyone who rated the statement, from “not at all” on the left to
              “completely” on the right. The table has the numbers.
            </figcaption>
            <StackChart
              labels={shown.map(({ label }) => label)}
              series={STEPS.map((name, step) => ({
                name,
                values: shown.map(({ counts }) => counts[step] ?? 0),
              }))}
              shares
            />
          </figure>
        )}
        <ResultTable
          caption="Ratings of each statement"
          note="Not shown: figures of fewer than five answers."
          headers={['Statement', 'Answers', 'Favorable', 'Mean', '1', '2', '3', '4', '5']}
          rows={survey.statements.map((statement, place) => ({
            name: numbered(statement, place),
            id: statement,
            values: valuesOf(statements[place] ?? null),
          }))}
        />
      </div>
    </Section>
  );
}

/** How likely people are to recommend us. */
export function Recommendation({ survey }: { survey: SurveyResults }) {
  const { recommend, score } = survey.figures;
  if (!recommend || score === null) {
    return (
      <Section id="recommend" title={survey.recommend} titleClass="text-xl">
        <p className="mt-3 text-muted">{NOT_SHOWN}</p>
      </Section>
    );
  }
  const labels = recommend.counts.map((_, step) => String(step));
  return (
    <Section id="recommend" title="Would they recommend us?" titleClass="text-xl">
      <div className="mt-4">
        <ChartCard
          title={`Net promoter score: ${scoreText(score)}`}
          note={`“${survey.recommend}” ${recommend.answers} answers, on average ${meanText(recommend.mean)} of 10.`}
          numbers={{ labels, series: [{ name: 'Answers', values: recommend.counts }] }}
        >
          <ColumnChart labels={labels} values={recommend.counts} />
        </ChartCard>
      </div>
    </Section>
  );
}
