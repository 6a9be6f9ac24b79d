import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { markTool, type ToolSummary } from '#data/toolbox.ts';
import type { ToolMark } from '#domain/tool.ts';
import { db } from '#lib/db.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { classNames } from '#ui/class-names.ts';
import { LineIcon } from '#ui/LineIcon.tsx';

/** The fields of a tool that hold its marks. */
type Marked = Pick<ToolSummary, 'slug' | 'saved_at' | 'done_at'>;
export type Marks = Readonly<Record<string, Record<ToolMark, boolean>>>;

const NONE = { saved: false, done: false };

function createMarks(tools: readonly Marked[]) {
  const marks = tools.map(({ slug, saved_at, done_at }) => [
    slug,
    { saved: saved_at !== null, done: done_at !== null },
  ]);
  return createOptimistic<Marks, { slug: string; mark: ToolMark; on: boolean }>(
    Object.fromEntries(marks),
    {
      apply: (marks, { slug, mark, on }) => ({
        ...marks,
        [slug]: { ...NONE, ...marks[slug], [mark]: on },
      }),
      send: async ({ slug, mark, on }) => markTool(await db(), slug, mark, on),
      failure: 'Your change wasn’t saved',
    },
  );
}

export type MarksStore = ReturnType<typeof createMarks>;

/** Tracks which of a page's tools the user has saved or marked as done. */
export function useMarks(tools: readonly Marked[]): MarksStore {
  const [store] = useState(() => createMarks(tools));
  return store;
}

interface MarkButtonsProps {
  store: MarksStore;
  slug: string;
  /** The tool's title, for screen readers. */
  title: string;
  className?: string;
  /** Whether a phone shows them as two icons above each other, at the end of a row. */
  isRow?: boolean;
}

/** Two toggle buttons: saved for later, and done. */
export function MarkButtons({ store, ...tool }: MarkButtonsProps) {
  return renderMarks(useStore(store.$shown), { store, ...tool });
}

const icon = (d: string) =>
  LineIcon({ d, box: 24, width: 2, className: 'size-4 group-aria-pressed:stroke-primary' });

/** The buttons' icons, and their labels for off and on. Their names always use the first. */
const BUTTONS = [
  {
    mark: 'saved',
    words: ['Save', 'Saved'],
    icon: icon(
      'M17 3a2 2 0 0 1 2 2v15a1 1 0 0 1-1.496.868l-4.512-2.578a2 2 0 0 0-1.984 0l-4.512 2.578A1 1 0 0 1 5 20V5a2 2 0 0 1 2-2z',
    ),
  },
  { mark: 'done', words: ['Mark as done', 'Done'], icon: icon('M20 6 9 17l-5-5') },
] as const;

/**
 * Renders the buttons of a tool. In a list, they aren't components, each of which would follow the store
 * and take its time to hydrate.
 */
export function renderMarks(
  marks: Marks,
  { store, slug, title, className, isRow }: MarkButtonsProps,
) {
  const now = marks[slug] ?? NONE;
  return (
    <div
      className={classNames(
        'flex flex-wrap gap-2',
        isRow && 'max-sm:shrink-0 max-sm:flex-col max-sm:gap-0 sm:mt-auto sm:pt-3',
        className,
      )}
    >
      {BUTTONS.map(({ mark, words, icon: drawn }) => (
        <button
          key={mark}
          type="button"
          aria-pressed={now[mark]}
          aria-label={`${words[0]}: ${title}`}
          onClick={() => void store.put({ slug, mark, on: !now[mark] })}
          className={classNames(
            'group relative inline-flex min-h-11 items-center gap-1.5 rounded-control border border-line px-3 text-xs text-muted hover:border-edge hover:text-ink aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:font-semibold aria-pressed:text-ink',
            isRow &&
              'max-sm:w-11 max-sm:justify-center max-sm:px-0 max-sm:not-aria-pressed:border-transparent',
          )}
        >
          {drawn}
          <span className={isRow ? 'max-sm:hidden' : undefined}>{words[now[mark] ? 1 : 0]}</span>
        </button>
      ))}
    </div>
  );
}
