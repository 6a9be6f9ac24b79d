import {
  PLAN_FIELDS,
  PLAN_LABELS,
  type PlanField,
  type PrintSize,
  printSizeOf,
} from '#domain/plan.ts';
import { classNames } from '#ui/class-names.ts';

/** Text sizes on paper; the largest at which everything fits on one page is used. */
const SIZES: Record<PrintSize, string> = {
  12: 'text-[12pt]',
  11: 'text-[11pt]',
  10: 'text-[10pt]',
  9: 'text-[9pt]',
  8.5: 'text-[8.5pt]',
  8: 'text-[8pt]',
  7.5: 'text-[7.5pt]',
  7: 'text-[7pt]',
  6.5: 'text-[6.5pt]',
  6: 'text-[6pt]',
  5.5: 'text-[5.5pt]',
  5: 'text-[5pt]',
};

interface PrintedProps {
  name: string;
  /** The date of the plan, as text. */
  day: string;
  fields: Record<PlanField, { value: string }>;
}

/** The plan on one sheet of paper, Letter or A4. Not shown on a screen. */
export function PrintedPlan({ name, day, fields }: PrintedProps) {
  const size = printSizeOf(PLAN_FIELDS.map((field) => fields[field].value));
  return (
    <div className="hidden print:block">
      <div className="mb-[8pt] flex items-baseline justify-between gap-[12pt]">
        <p className="min-w-0 truncate font-display text-[15pt] leading-tight">{name}</p>
        <p className="shrink-0 text-[8pt]">One-page plan, {day}</p>
      </div>
      <div className={classNames('columns-3 gap-[10pt] leading-[1.35]', SIZES[size])}>
        {PLAN_FIELDS.map((field) => (
          <section
            key={field}
            className="mb-[6pt] break-inside-avoid rounded-[4pt] border border-line px-[6pt] py-[5pt]"
          >
            <h2 className="font-text text-[1em] leading-[1.35] font-semibold">
              {PLAN_LABELS[field].title}
            </h2>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">
              {fields[field].value || '–'}
            </p>
          </section>
        ))}
      </div>
    </div>
  );
}
