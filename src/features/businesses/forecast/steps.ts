import { atom, computed } from 'nanostores';

/** How many changes can be undone. */
const MOST = 100;

/** The changes of a document that can be undone and redone, on one page. */
export function createSteps<Document>() {
  /** Earlier states, each with what was changed next. */
  const $undo = atom<readonly { before: Document; what: string | null }[]>([]);
  const $redo = atom<readonly Document[]>([]);
  return {
    $canUndo: computed($undo, (steps) => steps.length > 0),
    $canRedo: computed($redo, (steps) => steps.length > 0),
    /** @param what names a field that's typed into: its changes in a row are undone together */
    add(before: Document, what: string | null): void {
      const steps = $undo.get();
      $redo.set([]);
      if (what !== null && steps.at(-1)?.what === what) return;
      $undo.set([...steps, { before, what }].slice(-MOST));
    },
    /** The state before the last change; null if there's none. */
    undo(now: Document): Document | null {
      const last = $undo.get().at(-1);
      if (!last) return null;
      $undo.set($undo.get().slice(0, -1));
      $redo.set([...$redo.get(), now]);
      return last.before;
    },
    /** The state after the change that was undone last; null if there's none. */
    redo(now: Document): Document | null {
      const next = $redo.get().at(-1);
      if (!next) return null;
      $redo.set($redo.get().slice(0, -1));
      $undo.set([...$undo.get(), { before: now, what: null }]);
      return next;
    },
    clear(): void {
      $undo.set([]);
      $redo.set([]);
    },
  };
}
