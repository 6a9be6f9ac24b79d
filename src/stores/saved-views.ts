/** A person's saved views of one list, loaded on first use. */
import { atom } from 'nanostores';
import { listSavedViews, removeView, type SavedView, saveView } from '#data/saved-views.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import type { AnswerDeps } from '#lib/latest-answer.ts';
import { newId } from '#lib/new-id.ts';

/** Creates the store of one list; `list` is its name in the table of saved views. */
export function createSavedViews(deps: AnswerDeps, list: string) {
  /** Null until loaded. */
  const $views = atom<readonly SavedView[] | null>(null);
  const $failure = atom<AppError | null>(null);
  const reportError = createErrorReporter(deps);

  async function load(): Promise<void> {
    $failure.set(null);
    try {
      $views.set(await listSavedViews(await deps.db(), list));
    } catch (thrown) {
      $failure.set(reportError(thrown));
    }
  }

  /** Saves filters under a name, replacing any view of that name. Throws an AppError. */
  async function save(name: string, query: string): Promise<void> {
    try {
      await saveView(await deps.db(), list, { id: newId(), name, query });
    } catch (thrown) {
      throw reportError(thrown);
    }
    await load();
  }

  /** Deletes a view. Throws an AppError. */
  async function remove(view: SavedView): Promise<void> {
    try {
      await removeView(await deps.db(), view.id);
    } catch (thrown) {
      throw reportError(thrown);
    }
    $views.set($views.get()?.filter(({ id }) => id !== view.id) ?? null);
  }

  return { $views, $failure, load, save, remove };
}
