/** A copy of a tool that's being filled in; each change autosaves the whole copy. */
import { atom, computed } from 'nanostores';
import type { CopyState } from '#data/toolbox.ts';
import { Autosave, type Choice } from '#sync/autosave.ts';
import { type CopyText, toolCopyKind } from '#sync/kinds/tool-copy.ts';
import type { Sync } from '#sync/sync.ts';
import { type Block, blocksOf, markdownOf, oneLine } from './document.ts';

export interface CopyDeps {
  /** Loads the copy's current state from the database. */
  read(): Promise<CopyState>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
}

const textOf = ({ title, body_markdown }: CopyState): CopyText => ({
  title,
  body: markdownOf(blocksOf(body_markdown)),
});

/** Creates the store for one copy, starting from the state that the server rendered. */
export function createCopyStore(id: string, initial: CopyState, deps: CopyDeps) {
  const $title = atom(initial.title);
  const $blocks = atom<readonly Block[]>(blocksOf(initial.body_markdown));
  const autosave = new Autosave<'copy', CopyText, CopyState, { revision: number }, CopyState>({
    kind: toolCopyKind,
    keyOf: () => id,
    initial: { copy: initial },
    shownOf: textOf,
    normalize: (_field, { title, body }) => ({ title: oneLine(title), body }),
    baseOf: ({ revision }) => ({ revision }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    afterSaving: (before, { title, body }, answer) =>
      answer ?? { ...before, title, body_markdown: body },
    isAnswerComplete: true,
    merge: (_theirs, mine) => mine,
    read: async () => ({ copy: await deps.read() }),
    openSync: deps.openSync,
  });

  const typed = (): CopyText => ({ title: $title.get(), body: markdownOf($blocks.get()) });
  const save = () => autosave.type('copy', typed());

  /** Shows the version the user chose, or what they typed in another tab or on an earlier visit. */
  function follow({ title, body }: CopyText) {
    const here = typed();
    if (title !== here.title) $title.set(title);
    if (body !== here.body) $blocks.set(blocksOf(body));
  }

  function setBlocks(blocks: readonly Block[]) {
    $blocks.set(blocks);
    save();
  }

  return {
    $title,
    $blocks,
    $status: computed(autosave.$fields, ({ copy }) => copy.status),
    setTitle(title: string): void {
      $title.set(title);
      save();
    },
    /** Replaces a block, or removes it if there's no replacement. */
    setBlock: (index: number, ...blocks: Block[]): void =>
      setBlocks($blocks.get().toSpliced(index, 1, ...blocks)),
    insertBlock: (index: number, block: Block): void =>
      setBlocks($blocks.get().toSpliced(index, 0, block)),
    flush: () => autosave.flush(),
    /** Resolves a conflict: saves mine over theirs, or keeps theirs and discards mine. */
    choose: (which: Choice) => autosave.choose('copy', which),
    /** Follows edits in all tabs and what other people save. Returns the cleanup. */
    open(): () => void {
      const stops = [autosave.open(), autosave.$fields.subscribe(({ copy }) => follow(copy.value))];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

export type CopyStore = ReturnType<typeof createCopyStore>;
