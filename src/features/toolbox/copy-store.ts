/**
 * Filling in a copy: what is typed is kept in the browser at once, saved when typing pauses, and
 * tried again until it arrived. Where a colleague was faster, the person decides.
 */

import { atom } from 'nanostores';
import type { CopyState } from '#data/toolbox.ts';
import { classifyError } from '#lib/classify-error.ts';
import { holdUnsaved } from '#lib/unsaved.ts';
import type { draftOf } from './copy-draft.ts';
import { type Block, blocksOf, markdownOf, oneLine } from './document.ts';

export type Saving =
  | { name: 'saved'; at: string; by: string | null }
  | { name: 'saving' }
  /** The last try failed and the next one comes by itself; `kept` in this browser, or this tab only. */
  | { name: 'waiting'; kept: boolean }
  | { name: 'signed-out' }
  /** Refused for good, with the sentence that says why. */
  | { name: 'refused'; sentence: string; field: string | null }
  /** Somebody else has saved: theirs, beside what is typed here. */
  | { name: 'conflict'; theirs: CopyState };

export interface CopyDeps {
  save(change: {
    revision: number;
    title: string;
    body: string;
  }): Promise<{ saved: boolean; copy: CopyState }>;
  draft: ReturnType<typeof draftOf>;
  /** Lets the page ask the person to sign in again. */
  signedOut(): void;
  /** Calls back once after so many milliseconds; gives how to call it off. */
  after(ms: number, work: () => void): () => void;
}

/** Typing that pauses this long is saved. */
const PAUSE_MS = 800;
/** Milliseconds between tries; the last one repeats. */
const TRIES_MS = [1000, 2000, 5000, 10_000, 30_000] as const;

/** How many tries without an answer are remembered. */
const TRIES_KEPT = 10;

/** Makes the store of one copy from what the page came with. */
export function createCopyStore(initial: CopyState, deps: CopyDeps) {
  const $title = atom(initial.title);
  const $blocks = atom<readonly Block[]>(blocksOf(initial.body_markdown));
  const $saving = atom<Saving>(savedAs(initial));
  let revision = initial.revision;
  // As the server has it, written the way that blocks are.
  let known = { title: initial.title, body: markdownOf($blocks.get()) };
  let callOff = () => {};
  let running = false;
  let failures = 0;
  // Sent and not answered: each may have arrived.
  let unanswered: { title: string; body: string }[] = [];
  let release: (() => void) | null = null;

  const typed = () => ({ title: $title.get(), body: markdownOf($blocks.get()) });
  const isChanged = () => {
    const { title, body } = typed();
    return title !== known.title || body !== known.body;
  };

  /** The page counts as unsaved until the server has what was typed. */
  function hold(): void {
    if (isChanged()) {
      release ??= holdUnsaved();
    } else {
      release?.();
      release = null;
    }
  }

  function changed(): void {
    const kept = deps.draft.keep({ revision, ...typed() });
    hold();
    const { name } = $saving.get();
    // A question that waits for an answer stays, whatever is typed meanwhile.
    if (name === 'conflict' || name === 'signed-out') return;
    if (!kept) $saving.set({ name: 'waiting', kept: false });
    else if (!running) $saving.set({ name: 'saving' });
    failures = 0;
    callOff();
    callOff = deps.after(PAUSE_MS, () => void save());
  }

  /** Saves what is typed now; what is typed meanwhile follows. */
  async function save(): Promise<void> {
    callOff();
    if (running || $saving.get().name === 'conflict') return;
    if (!isChanged()) {
      settle();
      return;
    }
    running = true;
    $saving.set({ name: 'saving' });
    const sent = typed();
    unanswered = [...unanswered, sent].slice(-TRIES_KEPT);
    try {
      const { saved, copy } = await deps.save({ revision, ...sent });
      running = false;
      failures = 0;
      if (!saved) return meet(copy);
      arrived(sent, copy);
    } catch (thrown) {
      running = false;
      fail(thrown);
    }
  }

  function settle(copy?: CopyState): void {
    deps.draft.forget(typed());
    if (copy) $saving.set(savedAs(copy));
    else if ($saving.get().name !== 'saved') {
      $saving.set({ name: 'saved', at: new Date().toISOString(), by: null });
    }
    hold();
  }

  /** The server has this; what was typed since follows. */
  function arrived(sent: { title: string; body: string }, copy: CopyState): void {
    unanswered = [];
    revision = copy.revision;
    known = sent;
    if (!isChanged()) {
      settle(copy);
      return;
    }
    deps.draft.keep({ revision, ...typed() });
    callOff = deps.after(PAUSE_MS, () => void save());
  }

  /**
   * Somebody else was faster. What both typed alike is no question, nor what this page sent itself
   * and was never told of.
   */
  function meet(theirs: CopyState): void {
    const body = markdownOf(blocksOf(theirs.body_markdown));
    const own = [typed(), ...unanswered].find(
      (each) => oneLine(each.title) === theirs.title && each.body === body,
    );
    if (own) arrived(own, theirs);
    else $saving.set({ name: 'conflict', theirs });
  }

  function fail(thrown: unknown): void {
    const error = classifyError(thrown);
    if (error.kind === 'signed-out') {
      $saving.set({ name: 'signed-out' });
      deps.signedOut();
      return;
    }
    if (error.kind === 'network' || error.kind === 'unexpected' || error.kind === 'rate-limited') {
      const kept = deps.draft.keep({ revision, ...typed() });
      $saving.set({ name: 'waiting', kept });
      callOff = deps.after(
        TRIES_MS[Math.min(failures, TRIES_MS.length - 1)] ?? 0,
        () => void save(),
      );
      failures += 1;
      return;
    }
    $saving.set({ name: 'refused', sentence: error.message, field: error.field ?? null });
  }

  return {
    $title,
    $blocks,
    $saving,

    setTitle(title: string): void {
      $title.set(title);
      changed();
    },

    /** Puts one block in the place of another; nothing in its place removes it. */
    setBlock(index: number, ...blocks: Block[]): void {
      $blocks.set($blocks.get().toSpliced(index, 1, ...blocks));
      changed();
    },

    insertBlock(index: number, block: Block): void {
      $blocks.set($blocks.get().toSpliced(index, 0, block));
      changed();
    },

    save,

    /** Tries again now, after signing in or when the connection is back. */
    again(): void {
      if ($saving.get().name === 'signed-out') $saving.set({ name: 'saving' });
      void save();
    },

    /** Settles a conflict: mine is saved over theirs, or theirs is taken and mine forgotten. */
    decide(whose: 'mine' | 'theirs'): Promise<void> {
      const saving = $saving.get();
      if (saving.name !== 'conflict') return Promise.resolve();
      const { theirs } = saving;
      unanswered = [];
      revision = theirs.revision;
      known = { title: theirs.title, body: markdownOf(blocksOf(theirs.body_markdown)) };
      $saving.set({ name: 'saving' });
      if (whose === 'mine') return save();
      deps.draft.forget(typed());
      $title.set(theirs.title);
      $blocks.set(blocksOf(theirs.body_markdown));
      settle(theirs);
      return Promise.resolve();
    },

    /** Brings back what an earlier visit typed and could not save. */
    restore(): void {
      const draft = deps.draft.read();
      if (!draft) return;
      if (draft.title === known.title && draft.body === known.body) {
        deps.draft.forget(draft);
        return;
      }
      $title.set(draft.title);
      $blocks.set(blocksOf(draft.body));
      hold();
      // Saved on the revision that it was typed on: whoever was faster meanwhile is met.
      revision = draft.revision;
      void save();
    },

    close(): void {
      callOff();
      release?.();
      release = null;
    },
  };
}

export type CopyStore = ReturnType<typeof createCopyStore>;

const savedAs = (copy: CopyState): Saving => ({
  name: 'saved',
  at: copy.updated_at,
  by: copy.updated_by_name,
});
