import { useRef, useState } from 'react';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/dates.ts';
import type { AppError } from '#lib/errors.ts';
import { money } from '#lib/money.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';
import { FiguresDialog } from './FiguresDialog.tsx';
import { linesOf } from './figures.ts';

interface FiguresProps {
  snapshots: readonly Snapshot[];
  /** Whether one may add some: members, while the business is not archived. */
  editable: boolean;
  more: boolean;
  today: string;
  onAdd: (figures: NewSnapshot) => Promise<void>;
  onMore: () => Promise<void>;
}

const addedBy = ({ added_by }: Snapshot) => added_by ?? 'A former member';
const unknown = <span className="text-muted">unknown</span>;
const amount = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? unknown : money(minor, currency);

/** Figures over time: lines, and a table that says the same and who added them. */
export function Figures({ snapshots, editable, more, today, onAdd, onMore }: FiguresProps) {
  const ready = useReady();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, snapshots.length);
  const [open, setOpen] = useState<{ correcting: Snapshot | null } | null>(null);
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<AppError | null>(null);
  const currency = snapshots.find((each) => each.currency !== null)?.currency ?? 'USD';

  async function loadOlder() {
    setLoading(true);
    setFailure(null);
    await onMore().catch((thrown) => setFailure(reportError(thrown)));
    setLoading(false);
  }

  return (
    <section aria-labelledby="figures" className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="figures" ref={heading} tabIndex={-1}>
          Figures over time
        </h2>
        {editable && snapshots.length > 0 && (
          <Button
            size="small"
            variant="secondary"
            disabled={!ready}
            onClick={() => setOpen({ correcting: null })}
          >
            Add figures
          </Button>
        )}
      </div>
      {snapshots.length === 0 ? (
        <EmptyState
          title="No figures yet"
          action={
            editable && (
              <Button disabled={!ready} onClick={() => setOpen({ correcting: null })}>
                Add figures
              </Button>
            )
          }
        >
          People, revenue and profit of a day. Two days make a line, and a line shows what changed.
        </EmptyState>
      ) : (
        <>
          <div className="grid gap-5 lg:grid-cols-2">
            {linesOf(snapshots).map((lines) => (
              <figure key={lines.title} className="card min-w-0 p-5">
                <figcaption className="mb-3 text-sm font-semibold">{lines.title}</figcaption>
                <LineChart {...lines} />
              </figure>
            ))}
          </div>
          <section
            className="card relative overflow-x-auto"
            aria-label="Figures by day"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable without a mouse
            tabIndex={0}
          >
            <table className="w-full min-w-[36rem] text-left text-sm [&_:is(td,th):first-child]:pl-4">
              <caption className="sr-only">Figures of the business by day, newest first</caption>
              <thead className="border-b border-line text-muted">
                <tr>
                  <th scope="col" className="px-3 py-3 font-semibold">
                    Day
                  </th>
                  {['Full-time', 'Part-time', 'Revenue', 'Profit'].map((name) => (
                    <th key={name} scope="col" className="px-3 py-3 text-right font-semibold">
                      {name}
                    </th>
                  ))}
                  <th scope="col" className="px-3 py-3 font-semibold max-lg:hidden">
                    Added by
                  </th>
                  {editable && (
                    <th scope="col" className="px-3 py-3">
                      <span className="sr-only">Correct</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {snapshots.map((each) => (
                  <tr key={each.taken_on} className="border-b border-line last:border-0">
                    <th scope="row" className="px-3 py-3 font-semibold whitespace-nowrap">
                      {calendarDayText(each.taken_on)}
                      <span className="block text-xs font-normal whitespace-normal text-muted wrap-anywhere lg:hidden">
                        {addedBy(each)}
                      </span>
                      {each.corrections > 0 && (
                        <span className="block text-xs font-normal text-muted">
                          Corrected{each.corrections > 1 && ` ${each.corrections} times`}
                        </span>
                      )}
                    </th>
                    <td className="px-3 py-3 text-right figures">{each.full_time ?? unknown}</td>
                    <td className="px-3 py-3 text-right figures">{each.part_time ?? unknown}</td>
                    <td className="px-3 py-3 text-right figures">
                      {amount(each.revenue_minor, each.currency)}
                    </td>
                    <td className="px-3 py-3 text-right figures">
                      {amount(each.profit_minor, each.currency)}
                    </td>
                    <td className="min-w-28 px-3 py-3 text-muted wrap-anywhere max-lg:hidden">
                      {addedBy(each)}
                    </td>
                    {editable && (
                      <td className="px-1 py-1 text-right">
                        <Button
                          size="small"
                          variant="quiet"
                          disabled={!ready}
                          onClick={() => setOpen({ correcting: each })}
                        >
                          Correct<span className="sr-only"> {calendarDayText(each.taken_on)}</span>
                        </Button>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <Failure failure={failure} />
          {more && (
            <Button
              variant="secondary"
              className="self-start"
              pending={loading}
              disabled={!ready}
              onClick={() => void loadOlder()}
            >
              Show older figures
            </Button>
          )}
        </>
      )}
      {open && (
        <FiguresDialog
          correcting={open.correcting}
          currency={currency}
          today={today}
          onAdd={onAdd}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}
