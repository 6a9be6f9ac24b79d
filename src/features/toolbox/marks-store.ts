/** Which tools a person has saved or done: at once on the page, and back when it is refused. */

import { map } from 'nanostores';
import type { ToolMark } from '#data/toolbox.ts';
import type { AppError } from '#lib/errors.ts';
import { heardFailure } from '#stores/session.ts';

export interface Marks {
  saved: boolean;
  done: boolean;
}

export interface MarksDoors {
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
export function createMarksStore(tools: readonly Marked[], doors: MarksDoors) {
  const $marks = map<Record<string, Marks>>(
    Object.fromEntries(
      tools.map(({ slug, saved_at, done_at }) => [
        slug,
        { saved: saved_at !== null, done: done_at !== null },
      ]),
    ),
  );
  let stored = $marks.get();
  let last: Promise<void> = Promise.resolve();

  const marked = (marks: Record<string, Marks>, slug: string, mark: ToolMark, on: boolean) => ({
    ...marks,
    [slug]: { saved: false, done: false, ...marks[slug], [mark]: on },
  });

  async function send(slug: string, mark: ToolMark, on: boolean): Promise<void> {
    try {
      await doors.mark(slug, mark, on);
      stored = marked(stored, slug, mark, on);
    } catch (thrown) {
      doors.failed(heardFailure(thrown), () => void put(slug, mark, on));
    }
  }

  /** Sets a mark or takes it away. In the order in which they were pressed: the last one stands. */
  function put(slug: string, mark: ToolMark, on: boolean): Promise<void> {
    $marks.set(marked($marks.get(), slug, mark, on));
    const mine = last
      .then(() => send(slug, mark, on))
      .then(() => {
        if (last === mine) $marks.set(stored);
      });
    last = mine;
    return mine;
  }

  return { $marks, put };
}

export type MarksStore = ReturnType<typeof createMarksStore>;
