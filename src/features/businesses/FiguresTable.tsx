import { useState } from 'react';
import type { Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';

const addedBy = ({ added_by }: Snapshot) => added_by ?? 'A former member';
const unknown = <span className="text-muted">unknown</span>;
const amount = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? unknown : money(minor, currency);

interface TableProps {
  snapshots: readonly Snapshot[];
  /** Null if the user can't correct figures. */
  onCorrect: ((snapshot: Snapshot) => void) | null;
}

/** How many rows a phone shows at first. */
const SHOWN_ON_PHONE = 6;

/** The figures as a table; on a phone each row is a few lines, and the older ones wait behind a button. */
export function FiguresTable({ snapshots, onCorrect }: TableProps) {
  const [all, setAll] = useState(false);
  const names = new Set(snapshots.map(addedBy));
  const [onlyName] = names.size === 1 ? names : [];
  return (
    <div className="flex flex-col gap-3">
      <section
        className="card relative overflow-x-auto"
        aria-label="Figures by date"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable without a mouse
        tabIndex={0}
      >
        {/* Explicit roles: browsers drop a table's semantics if it's displayed as blocks. */}
        <table
          role="table"
          className="w-full text-left text-sm max-sm:block sm:min-w-[36rem] sm:[&_:is(td,th):first-child]:pl-4"
        >
          <caption className="sr-only">Business figures by date, newest first</caption>
          <FiguresHead hasNames={!onlyName} isEditable={onCorrect !== null} />
          <tbody role="rowgroup" className="max-sm:block max-sm:px-4">
            {snapshots.map((each, index) => (
              <FiguresRow
                key={each.taken_on}
                snapshot={each}
                hasName={!onlyName}
                isFolded={!all && index >= SHOWN_ON_PHONE}
                isLastShown={!all && index === SHOWN_ON_PHONE - 1}
                onCorrect={onCorrect}
              />
            ))}
          </tbody>
        </table>
      </section>
      {!all && snapshots.length > SHOWN_ON_PHONE && (
        <Button
          variant="secondary"
          className="self-start sm:hidden"
          needsScript
          onClick={() => setAll(true)}
        >
          Show all {snapshots.length}
        </Button>
      )}
      {onlyName && <p className="text-sm text-muted wrap-anywhere">All added by {onlyName}</p>}
    </div>
  );
}

const FiguresHead = ({ hasNames, isEditable }: { hasNames: boolean; isEditable: boolean }) => (
  <thead role="rowgroup" className="border-b border-line text-muted max-sm:hidden">
    <tr role="row">
      <th role="columnheader" scope="col" className="px-3 py-3 font-semibold">
        Date
      </th>
      {['Full-time', 'Part-time', 'Revenue', 'Profit'].map((name) => (
        <th
          key={name}
          role="columnheader"
          scope="col"
          className="px-3 py-3 text-right font-semibold"
        >
          {name}
        </th>
      ))}
      {hasNames && (
        <th role="columnheader" scope="col" className="px-3 py-3 font-semibold max-lg:hidden">
          Added by
        </th>
      )}
      {isEditable && (
        <th role="columnheader" scope="col" className="px-3 py-3">
          <span className="sr-only">Edit</span>
        </th>
      )}
    </tr>
  </thead>
);

type RowProps = Pick<TableProps, 'onCorrect'> & {
  snapshot: Snapshot;
  /** Whether it says who added it. */
  hasName: boolean;
  /** Whether a phone leaves it out for now. */
  isFolded: boolean;
  /** Whether it's the last one that a phone shows for now. */
  isLastShown: boolean;
};

/** On a phone its label follows the figure: "$475,700 revenue". */
const FIGURE =
  'figures max-sm:after:content-[attr(data-label)] max-sm:whitespace-nowrap sm:px-3 sm:py-3 sm:text-right';

function FiguresRow({ snapshot, hasName, isFolded, isLastShown, onCorrect }: RowProps) {
  const { taken_on, corrections, currency } = snapshot;
  return (
    <tr
      role="row"
      className={classNames(
        'border-b border-line last:border-0 max-sm:relative max-sm:flex-wrap max-sm:gap-x-4 max-sm:gap-y-1 max-sm:py-3',
        isFolded ? 'max-sm:hidden' : 'max-sm:flex',
        isLastShown && 'max-sm:border-b-0',
      )}
    >
      <th
        role="rowheader"
        scope="row"
        className="font-semibold whitespace-nowrap max-sm:basis-full sm:px-3 sm:py-3"
      >
        {calendarDayText(taken_on)}
        {hasName && (
          <span className="block text-xs font-normal whitespace-normal text-muted wrap-anywhere lg:hidden">
            {addedBy(snapshot)}
          </span>
        )}
        {corrections > 0 && (
          <span className="block text-xs font-normal text-muted">
            Edited{corrections > 1 && ` ${corrections} times`}
          </span>
        )}
      </th>
      <td
        role="cell"
        data-label=" full-time"
        className={classNames(FIGURE, 'max-sm:order-3 max-sm:text-muted')}
      >
        {snapshot.full_time ?? unknown}
      </td>
      <td
        role="cell"
        data-label=" part-time"
        className={classNames(FIGURE, 'max-sm:order-4 max-sm:text-muted')}
      >
        {snapshot.part_time ?? unknown}
      </td>
      <td role="cell" data-label=" revenue" className={classNames(FIGURE, 'max-sm:order-1')}>
        {amount(snapshot.revenue_minor, currency)}
      </td>
      <td role="cell" data-label=" profit" className={classNames(FIGURE, 'max-sm:order-2')}>
        {amount(snapshot.profit_minor, currency)}
      </td>
      {hasName && (
        <td role="cell" className="min-w-28 px-3 py-3 text-muted wrap-anywhere max-lg:hidden">
          {addedBy(snapshot)}
        </td>
      )}
      {onCorrect && (
        <td
          role="cell"
          className="text-right max-sm:absolute max-sm:top-1.5 max-sm:-right-3 sm:p-1"
        >
          <Button size="small" variant="quiet" needsScript onClick={() => onCorrect(snapshot)}>
            Edit<span className="sr-only"> {calendarDayText(taken_on)}</span>
          </Button>
        </td>
      )}
    </tr>
  );
}
