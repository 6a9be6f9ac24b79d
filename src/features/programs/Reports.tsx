import { useState } from 'react';
import type { SponsoredProgram } from '#data/programs.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { Section } from '#ui/Section.tsx';
import { CsvButton } from '#ui/table/CsvButton.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { Figures } from './Figures.tsx';
import { csvRows, type FigureRow } from './figure-rows.ts';

const NOW = 'now';
const GROUPED_BY: Record<string, string> = { postal: 'Postal area', industry: 'Industry' };

const COLUMNS: DataColumn<FigureRow>[] = [
  { id: 'figure', header: 'Figure', csv: ({ figure }) => figure },
  { id: 'value', header: 'Value', csv: ({ value }) => value },
];

/** Everything at once. */
async function* all(rows: readonly FigureRow[]) {
  yield rows;
  return { isComplete: true };
}

/** The totals now, and the reports of each January and July, on paper and as a file. */
export function Reports({ program }: { program: SponsoredProgram }) {
  const [period, setPeriod] = useState(NOW);
  const report = program.reports.find((one) => one.period === period);
  const figures = report?.figures ?? program.figures;
  if (!figures) return null;
  const title = report ? `Report of ${calendarDayText(report.period)}` : 'Totals now';
  return (
    <Section id="totals" title={title} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-end gap-3 print:hidden">
        {program.reports.length > 0 && (
          <Field
            label="Show"
            as={Select}
            value={period}
            options={[
              { value: NOW, label: 'Totals now' },
              ...program.reports.map((one) => ({
                value: one.period,
                label: `Report of ${calendarDayText(one.period)}`,
              })),
            ]}
            onChange={(event: { target: { value: string } }) => setPeriod(event.target.value)}
          />
        )}
        <Button size="small" variant="secondary" needsScript onClick={() => window.print()}>
          Print
        </Button>
        <CsvButton
          name={`program-${report?.period ?? 'now'}`}
          columns={COLUMNS}
          readAll={() => all(csvRows(figures))}
        />
      </div>
      <Figures
        figures={figures}
        {...(GROUPED_BY[program.groups_by] && { groupedBy: GROUPED_BY[program.groups_by] })}
      />
      <p className="max-w-[65ch] text-sm text-muted">
        Each January and July we keep a report that doesn’t change anymore. You never see which
        business has a seat, or any one business’s answers, scores or messages. Jobs and sales count
        only businesses that agreed to it, and sales are rounded to $1,000.
      </p>
    </Section>
  );
}
