import { useRef, useState } from 'react';
import type { NewSnapshot, Snapshot } from '#data/business-snapshots.ts';
import { reportError } from '#stores/session.ts';
import { Button, type ButtonProps } from '#ui/Button.tsx';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Still } from '#ui/Still.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { FiguresTable } from './FiguresTable.tsx';
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
    <Still of={[snapshots]} className="grid gap-5 lg:grid-cols-2">
      {() =>
        linesOf(snapshots).map((lines) => (
          <figure key={lines.title} className="card min-w-0 p-5">
            <figcaption className="mb-3 text-sm font-semibold">{lines.title}</figcaption>
            <LineChart {...lines} />
          </figure>
        ))
      }
    </Still>
  );
}
