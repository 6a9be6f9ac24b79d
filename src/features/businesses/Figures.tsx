import { useRef, useState } from 'react';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { reportError } from '#stores/session.ts';
import { Button, type ButtonProps } from '#ui/Button.tsx';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { linesOf } from './figures.ts';

const loadDialog = () => import('./FiguresDialog.tsx');

interface FiguresProps {
  snapshots: readonly Snapshot[];
  /** Whether the user may add figures: members may, unless the business is archived. */
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

/** Figures over time: line charts, and a table with the same figures and who added them. */
export function Figures({ snapshots, editable, more, today, onAdd, onMore }: FiguresProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, snapshots.length);
  const [dialog, setDialog] = useState<{ correcting: Snapshot | null } | null>(null);
  const part = useOpenedPart(loadDialog, dialog !== null, () => setDialog(null));
  const loading = useAction(reportError);
  const isEmpty = snapshots.length === 0;
  const addButton = (look?: Pick<ButtonProps, 'size' | 'variant'>) => (
    <Button {...look} needsScript onClick={() => setDialog({ correcting: null })}>
      Add figures
    </Button>
  );
  return (
    <section aria-labelledby="figures" className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="figures" ref={heading} tabIndex={-1}>
          Figures over time
        </h2>
        {editable && !isEmpty && addButton({ size: 'small', variant: 'secondary' })}
      </div>
      {isEmpty ? (
        <EmptyState title="No figures yet" action={editable && addButton()}>
          Staff, revenue and profit on a given date. Add a second date to see the change.
        </EmptyState>
      ) : (
        <>
          <Lines snapshots={snapshots} />
          <FiguresTable
            snapshots={snapshots}
            onCorrect={editable ? (correcting) => setDialog({ correcting }) : null}
          />
          <Failure failure={loading.failure} />
          {more && (
            <Button
              variant="secondary"
              className="self-start"
              pending={loading.pending}
              needsScript
              onClick={() => void loading.run(onMore)}
            >
              Show older figures
            </Button>
          )}
        </>
      )}
      {dialog && part && (
        <part.FiguresDialog
          correcting={dialog.correcting}
          currency={snapshots.find((each) => each.currency !== null)?.currency ?? 'USD'}
          today={today}
          onAdd={onAdd}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
}

function Lines({ snapshots }: { snapshots: readonly Snapshot[] }) {
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      {linesOf(snapshots).map((lines) => (
        <figure key={lines.title} className="card min-w-0 p-5">
          <figcaption className="mb-3 text-sm font-semibold">{lines.title}</figcaption>
          <LineChart {...lines} />
        </figure>
      ))}
    </div>
  );
}

interface TableProps {
  snapshots: readonly Snapshot[];
  /** Null if the user can't correct figures. */
  onCorrect: ((snapshot: Snapshot) => void) | null;
}

function FiguresTable({ snapshots, onCorrect }: TableProps) {
  return (
    <section
      className="card relative overflow-x-auto"
      aria-label="Figures by date"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable without a mouse
      tabIndex={0}
    >
      <table className="w-full min-w-[36rem] text-left text-sm [&_:is(td,th):first-child]:pl-4">
        <caption className="sr-only">Business figures by date, newest first</caption>
        <thead className="border-b border-line text-muted">
          <tr>
            <th scope="col" className="px-3 py-3 font-semibold">
              Date
            </th>
            {['Full-time', 'Part-time', 'Revenue', 'Profit'].map((name) => (
              <th key={name} scope="col" className="px-3 py-3 text-right font-semibold">
                {name}
              </th>
            ))}
            <th scope="col" className="px-3 py-3 font-semibold max-lg:hidden">
              Added by
            </th>
            {onCorrect && (
              <th scope="col" className="px-3 py-3">
                <span className="sr-only">Edit</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {snapshots.map((each) => (
            <FiguresRow key={each.taken_on} snapshot={each} onCorrect={onCorrect} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = Pick<TableProps, 'onCorrect'> & { snapshot: Snapshot };

function FiguresRow({ snapshot, onCorrect }: RowProps) {
  const { taken_on, corrections, currency } = snapshot;
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="px-3 py-3 font-semibold whitespace-nowrap">
        {calendarDayText(taken_on)}
        <span className="block text-xs font-normal whitespace-normal text-muted wrap-anywhere lg:hidden">
          {addedBy(snapshot)}
        </span>
        {corrections > 0 && (
          <span className="block text-xs font-normal text-muted">
            Edited{corrections > 1 && ` ${corrections} times`}
          </span>
        )}
      </th>
      <td className="px-3 py-3 text-right figures">{snapshot.full_time ?? unknown}</td>
      <td className="px-3 py-3 text-right figures">{snapshot.part_time ?? unknown}</td>
      <td className="px-3 py-3 text-right figures">{amount(snapshot.revenue_minor, currency)}</td>
      <td className="px-3 py-3 text-right figures">{amount(snapshot.profit_minor, currency)}</td>
      <td className="min-w-28 px-3 py-3 text-muted wrap-anywhere max-lg:hidden">
        {addedBy(snapshot)}
      </td>
      {onCorrect && (
        <td className="px-1 py-1 text-right">
          <Button size="small" variant="quiet" needsScript onClick={() => onCorrect(snapshot)}>
            Edit<span className="sr-only"> {calendarDayText(taken_on)}</span>
          </Button>
        </td>
      )}
    </tr>
  );
}
