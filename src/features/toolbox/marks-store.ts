/** Which tools a person has saved or done: at once on the page, and as it is stored once answered. */

import { atom } from 'nanostores';
import type { ToolMark } from '#domain/tool.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { createOptimisticToggle } from '#sync/optimistic-toggle.ts';

export interface Marks {
  saved: boolean;
  done: boolean;
}

export interface MarksDeps {
  mark(slug: string, mark: ToolMark, on: boolean): Promise<void>;
  /** Tells the person that a mark stayed as it was; `again` tries it once more. */
  failed(error: AppError, again: () => void): void;
}

/** What a page knows of one tool. */
export interface Marked {
  slug: string;
  saved_at: string | null;
  done_at: string | null;
}

/** Makes the store of the tools that a page shows. */
export function createMarksStore(tools: readonly Marked[], deps: MarksDeps) {
  const $marks = atom<Readonly<Record<string, Marks>>>(
    Object.fromEntries(
      tools.map(({ slug, saved_at, done_at }) => [
        slug,
        { saved: saved_at !== null, done: done_at !== null },
      ]),
    ),
  );
  const press = createOptimisticToggle($marks);

  /** Sets a mark or takes it away: at once on the page, and as it is stored once answered. */
  function put(slug: string, mark: ToolMark, on: boolean): Promise<void> {
    return press({
      change: (marks) => ({
        ...marks,
        [slug]: { saved: false, done: false, ...marks[slug], [mark]: on },
      }),
      save: () => deps.mark(slug, mark, on),
      failed: (thrown) => deps.failed(reportError(thrown), () => void put(slug, mark, on)),
    });
  }

  return { $marks, put };
}

export type MarksStore = ReturnType<typeof createMarksStore>;
