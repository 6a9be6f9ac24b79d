import type { Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { Section } from '#ui/Section.tsx';

const unknown = <span className="text-muted">unknown</span>;
const amount = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? unknown : money(minor, currency);

/** The figures of a business by date, newest first. */
export function Figures({ snapshots }: { snapshots: readonly Snapshot[] }) {
  if (snapshots.length === 0) return null;
  return (
    <Section id="figures" title="Figures over time">
      <section
        className="card relative mt-3 overflow-x-auto"
        aria-label="Figures by date"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable without a mouse
        tabIndex={0}
      >
        <table className="w-full min-w-[32rem] text-left text-sm">
          <caption className="sr-only">Business figures by date, newest first</caption>
          <thead className="border-b border-line text-muted">
            <tr>
              <th scope="col" className="px-4 py-3 font-semibold">
                Date
              </th>
              {['Full-time', 'Part-time', 'Revenue', 'Profit'].map((name) => (
                <th key={name} scope="col" className="px-4 py-3 text-right font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {snapshots.map(
              ({ taken_on, full_time, part_time, revenue_minor, profit_minor, currency }) => (
                <tr key={taken_on} className="border-b border-line last:border-0">
                  <th scope="row" className="px-4 py-3 font-semibold whitespace-nowrap">
                    {calendarDayText(taken_on)}
                  </th>
                  <td className="px-4 py-3 text-right figures">{full_time ?? unknown}</td>
                  <td className="px-4 py-3 text-right figures">{part_time ?? unknown}</td>
                  <td className="px-4 py-3 text-right figures">
                    {amount(revenue_minor, currency)}
                  </td>
                  <td className="px-4 py-3 text-right figures">{amount(profit_minor, currency)}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
