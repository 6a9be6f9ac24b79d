import { useStore } from '@nanostores/react';
import { BookmarkIcon, CheckIcon } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { markTool, type ToolSummary } from '#data/toolbox.ts';
import type { ToolMark } from '#domain/tool.ts';
import { db } from '#lib/db.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { classNames } from '#ui/class-names.ts';

/** The fields of a tool that hold its marks. */
type Marked = Pick<ToolSummary, 'slug' | 'saved_at' | 'done_at'>;
type Marks = Readonly<Record<string, Record<ToolMark, boolean>>>;

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
}

/** Two toggle buttons: saved for later, and done. */
export function MarkButtons({ store, slug, title, className }: MarkButtonsProps) {
  const marks = useStore(store.$shown)[slug] ?? NONE;
  return (
    <div className={classNames('flex flex-wrap gap-2', className)}>
      <Mark
        icon={BookmarkIcon}
        on={marks.saved}
        words={['Save', 'Saved']}
        title={title}
        onPress={() => void store.put({ slug, mark: 'saved', on: !marks.saved })}
      />
      <Mark
        icon={CheckIcon}
        on={marks.done}
        words={['Mark as done', 'Done']}
        title={title}
        onPress={() => void store.put({ slug, mark: 'done', on: !marks.done })}
      />
    </div>
  );
}

interface MarkProps {
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;
  on: boolean;
  /** Labels for off and on. The button's accessible name always uses the first. */
  words: readonly [string, string];
  title: string;
  onPress: () => void;
}

function Mark({ icon: Icon, on, words, title, onPress }: MarkProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={`${words[0]}: ${title}`}
      onClick={onPress}
      className="relative inline-flex min-h-11 items-center gap-1.5 rounded-control border border-line px-3 text-xs text-muted hover:border-edge hover:text-ink aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:font-semibold aria-pressed:text-ink"
    >
      <Icon className={classNames('size-4', on && 'stroke-primary')} aria-hidden />
      {on ? words[1] : words[0]}
    </button>
  );
}
