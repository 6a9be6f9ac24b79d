import type { ReactNode } from 'react';
import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { Dialog } from '#ui/Dialog.tsx';
import type { AreaResult } from './results.ts';

interface SwapProps {
  /** What opens it; the focus returns there. */
  trigger: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The name of the area that gives way. */
  instead: string;
  others: AreaResult[];
  onChoose: (areaKey: string) => void;
}

/** The other areas with a score, each with its weakest practice: one press swaps. */
export function SwapDialog(props: SwapProps) {
  const { trigger, open, onOpenChange, instead, others, onChoose } = props;
  return (
    <Dialog
      trigger={trigger}
      open={open}
      onOpenChange={onOpenChange}
      title={`Instead of ${instead.charAt(0).toLowerCase()}${instead.slice(1)}`}
      description="Its scores stay as they are; only what you work on changes."
    >
      <ul className="flex flex-col gap-2">
        {others.map(({ area, score, weakest }) => (
          <li key={area.key}>
            <button
              type="button"
              onClick={() => onChoose(area.key)}
              className="flex w-full flex-col gap-1 rounded-control border border-line bg-surface px-4 py-3 text-left hover:border-edge hover:bg-raised"
            >
              <span className="flex w-full flex-wrap items-baseline justify-between gap-x-3">
                <strong>{area.name}</strong>
                <span className="flex items-baseline gap-3 text-sm">
                  <LevelWord level={score.level} />
                  <span className="font-semibold figures">{scoreText(score.score)}</span>
                </span>
              </span>
              {weakest && (
                <span className="text-sm text-muted">
                  Weakest practice: {weakest.question.practice}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
