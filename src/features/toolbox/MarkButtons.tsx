import { useStore } from '@nanostores/react';
import { BookmarkIcon, CheckIcon } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { markTool } from '#data/toolbox.ts';
import { db } from '#lib/db.ts';
import { addToast } from '#stores/toasts.ts';
import { classNames } from '#ui/class-names.ts';
import { useReady } from '#ui/use-ready.ts';
import { createMarksStore, type Marked, type MarksStore } from './marks-store.ts';

/** The marks of the tools of a page, over the database. */
export function useMarks(tools: readonly Marked[]): MarksStore {
  const [store] = useState(() =>
    createMarksStore(tools, {
      mark: async (slug, mark, on) => markTool(await db(), slug, mark, on),
      failed: (error, again) =>
        addToast({
          tone: 'bad',
          title: 'The mark stays as it was',
          text: error.message,
          action: { label: 'Try again', onPress: again },
        }),
    }),
  );
  return store;
}

interface MarkButtonsProps {
  store: MarksStore;
  slug: string;
  /** What is marked, for a screen reader. */
  title: string;
  className?: string;
}

/** Two switches: kept for later, and done. */
export function MarkButtons({ store, slug, title, className }: MarkButtonsProps) {
  const marks = useStore(store.$marks)[slug] ?? { saved: false, done: false };
  return (
    <div className={classNames('flex flex-wrap gap-2', className)}>
      <Mark
        icon={BookmarkIcon}
        on={marks.saved}
        words={['Save', 'Saved']}
        title={title}
        onPress={() => void store.put(slug, 'saved', !marks.saved)}
      />
      <Mark
        icon={CheckIcon}
        on={marks.done}
        words={['Mark as done', 'Done']}
        title={title}
        onPress={() => void store.put(slug, 'done', !marks.done)}
      />
    </div>
  );
}

interface MarkProps {
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;
  on: boolean;
  /** Off and on. The name of the button stays the first: whether it is on is its state. */
  words: readonly [string, string];
  title: string;
  onPress: () => void;
}

function Mark({ icon: Icon, on, words, title, onPress }: MarkProps) {
  const ready = useReady();
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={`${words[0]}: ${title}`}
      disabled={!ready}
      onClick={onPress}
      className="relative inline-flex min-h-11 items-center gap-1.5 rounded-control border border-line px-3 text-xs text-muted hover:border-edge hover:text-ink aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:font-semibold aria-pressed:text-ink"
    >
      <Icon className={classNames('size-4', on && 'stroke-primary')} aria-hidden />
      {on ? words[1] : words[0]}
    </button>
  );
}
