import { useRef, useState } from 'react';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { idsByWords } from '#lib/new-id.ts';
import { reportError } from '#stores/session.ts';
import { Button, type ButtonProps } from '#ui/Button.tsx';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';
import {
  CURRENCIES,
  type FiguresInput,
  figuresInput,
  inputOf,
  linesOf,
  snapshotOf,
} from './figures.ts';

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
  const ready = useReady();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, snapshots.length);
  const [dialog, setDialog] = useState<{ correcting: Snapshot | null } | null>(null);
  const loading = useAction(reportError);
  const isEmpty = snapshots.length === 0;
  const addButton = (look?: Pick<ButtonProps, 'size' | 'variant'>) => (
    <Button {...look} disabled={!ready} onClick={() => setDialog({ correcting: null })}>
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
              disabled={!ready}
              onClick={() => void loading.run(onMore)}
            >
              Show older figures
            </Button>
          )}
        </>
      )}
      {dialog && (
        <FiguresDialog
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
  const ready = useReady();
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
          <Button
            size="small"
            variant="quiet"
            disabled={!ready}
            onClick={() => onCorrect(snapshot)}
          >
            Edit<span className="sr-only"> {calendarDayText(taken_on)}</span>
          </Button>
        </td>
      )}
    </tr>
  );
}

interface FiguresDialogProps {
  /** The figures being corrected; null for new ones. */
  correcting: Snapshot | null;
  /** The currency of the newest amounts. */
  currency: string;
  /** Today in the reader's time zone, `2026-11-21`. */
  today: string;
  /** Throws an AppError. */
  onAdd: (figures: NewSnapshot) => Promise<void>;
  onClose: () => void;
}

function FiguresDialog({ correcting, currency, today, onAdd, onClose }: FiguresDialogProps) {
  const [idOf] = useState(idsByWords);
  const fields = useSchemaForm<FiguresInput>(
    figuresInput,
    async (input) => {
      await onAdd(snapshotOf(idOf(input), input));
      onClose();
    },
    { defaults: inputOf(correcting, today, currency), guarded: true },
  );
  const { field } = fields;
  const isListed = CURRENCIES.some(({ value }) => value === currency);
  return (
    <FormDialog
      fields={fields}
      firm
      onClose={onClose}
      title={correcting ? `Edit ${calendarDayText(correcting.taken_on)}` : 'Add figures'}
      description={
        correcting
          ? 'The new figures count from now on. We keep the earlier ones.'
          : 'Figures for one date. Leave out anything you don’t know; blank isn’t zero.'
      }
      action="Save"
    >
      <Field
        label="Date"
        type="date"
        max={today}
        readOnly={correcting !== null}
        {...field('takenOn')}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field label="Full-time staff" inputMode="numeric" {...field('fullTime')} />
        <Field label="Part-time staff" inputMode="numeric" {...field('partTime')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-[1fr_1fr_6.5rem]">
        <Field label="Annual revenue" inputMode="decimal" {...field('revenue')} />
        <Field label="Annual profit" {...field('profit')} />
        <Field
          label="Currency"
          as={Select}
          options={isListed ? CURRENCIES : [...CURRENCIES, { value: currency, label: currency }]}
          {...field('currency')}
        />
      </div>
      <Failure failure={fields.failure} title="Not saved" />
    </FormDialog>
  );
}
