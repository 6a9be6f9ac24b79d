import { largestMiss, monthText, type PastMonth } from '#domain/forecast.ts';
import { Section } from '#ui/Section.tsx';
import { dollars } from './amounts.ts';

const difference = (cents: number) => `${cents > 0 ? '+' : ''}${dollars(cents)}`;

/** The months that are over, newest first: planned and real balance, and which row missed by most. */
export function PastMonths({ past }: { past: readonly PastMonth[] }) {
  if (past.length === 0) return null;
  return (
    <Section id="past" title="Months that are over">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways needs to be reachable by keyboard */}
      <section className="mt-3 overflow-x-auto card" aria-label="Months that are over" tabIndex={0}>
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left">
              {['Month', 'Planned balance', 'Real balance', 'Row that missed by most'].map(
                (name) => (
                  <th key={name} scope="col" className="px-3 py-2 font-semibold">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {past.toReversed().map((each) => {
              const miss = largestMiss(each);
              return (
                <tr key={each.month} className="border-b border-line last:border-b-0">
                  <th scope="row" className="px-3 py-2 text-left font-normal whitespace-nowrap">
                    {monthText(each.month)}
                  </th>
                  <td className="px-3 py-2 figures">{dollars(each.planned)}</td>
                  <td className="px-3 py-2 figures">
                    {each.actual === null ? 'not entered' : dollars(each.actual)}
                  </td>
                  <td className="px-3 py-2">
                    {miss ? `${miss.name}, ${difference(miss.cents)}` : 'none entered'}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
