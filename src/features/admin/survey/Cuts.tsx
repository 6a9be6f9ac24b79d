import type { SurveyCut, SurveyResults } from '#data/survey-results.ts';
import type { SurveyGrouping } from '#domain/survey.ts';
import { FEWEST_FOR_INDEX } from '#domain/survey-results.ts';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { Section } from '#ui/Section.tsx';
import { cutName, TOTALS, type Totals, totalText } from './figure-text.ts';
import { ResultTable } from './ResultTable.tsx';

export const GROUP_LABELS: Record<SurveyGrouping, string> = {
  area: 'Area',
  coach: 'Coach',
  industry: 'Industry',
  program: 'Program',
};

function CutTable({ of, cuts }: { of: string; cuts: readonly SurveyCut[] }) {
  return (
    <ResultTable
      caption={`Results by ${of.toLowerCase()}`}
      note={`Not shown: an index of fewer than ${FEWEST_FOR_INDEX} responses, and other figures of fewer than five.`}
      headers={[of, ...TOTALS.map(({ label }) => label)]}
      rows={cuts.map((cut) => ({
        name: cutName(cut),
        id: cut.value,
        values: TOTALS.map(({ key }) => (cut[key] === null ? null : totalText(cut, key))),
      }))}
    />
  );
}

/** The figures from one quarter to the next; a quarter without enough answers is a gap. */
function Trend({ quarters }: { quarters: readonly SurveyCut[] }) {
  const labels = quarters.map(cutName);
  const valuesOf = (key: keyof Totals) =>
    quarters.map((quarter) => {
      const value = quarter[key];
      return value === null ? null : Math.round(value);
    });
  const drawn = TOTALS.filter(({ key }) => key !== 'responses');
  const series = drawn
    .map(({ key, label }) => ({ name: label, values: valuesOf(key) }))
    .filter(({ values }) => values.some((value) => value !== null));
  return (
    <ChartCard
      title="From one quarter to the next"
      note="Favorable in percent; the index goes from 0 to 100, the net promoter score from −100 to 100."
    >
      <LineChart labels={labels} series={series} />
    </ChartCard>
  );
}

/** The results by quarter, by link and, in a confidential survey, by group. */
export function Cuts({ survey }: { survey: SurveyResults }) {
  const { quarters, links, groups, grouped_by } = survey;
  return (
    <Section id="cuts" title="Compared" titleClass="text-xl">
      <p className="mt-2 max-w-prose text-sm text-muted">
        A group is shown once it has five answers, so the parts can add up to less than the whole.
      </p>
      <div className="mt-4 flex flex-col gap-5">
        {quarters.length > 1 && <Trend quarters={quarters} />}
        <CutTable of="Quarter" cuts={quarters} />
        <CutTable of="Link" cuts={links} />
        {grouped_by && groups.length > 0 && (
          <CutTable of={GROUP_LABELS[grouped_by]} cuts={groups} />
        )}
      </div>
    </Section>
  );
}
