/**
 * One session that its coach writes down. Each change is kept in this browser at once, as an entry
 * of the write pipeline that's held back; saving releases it.
 */
import { atom, computed } from 'nanostores';
import { type SessionProblems, sessionProblems } from '#lib/closed-session.ts';
import type { SessionForm } from '#lib/session-form.ts';
import {
  isSessionDraft,
  SESSION_DRAFT,
  sessionKind,
  type WrittenSession,
} from '#sync/kinds/session.ts';
import { createPendingList } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';

interface ClosingDeps {
  openSync: () => Sync;
  /** The current time, in ms since 1970. */
  now: () => number;
}

export type ClosingStore = ReturnType<typeof createClosingStore>;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** @param isOver whether the coaching has ended, so nothing more is agreed on */
export function createClosingStore(
  { openSync, now }: ClosingDeps,
  initial: WrittenSession,
  isOver = false,
) {
  const $form = atom<SessionForm>(initial.form);
  const $problems = atom<SessionProblems>({});
  const $isStored = atom(false);
  const pending = createPendingList({
    openSync,
    kind: sessionKind,
    belongs: ({ id }) => id === initial.id,
    onStored: () => $isStored.set(true),
  });
  const $item = computed(pending.$items, ([item]) => item ?? null);

  const written = (): WrittenSession => ({
    ...initial,
    // What was typed before it ended doesn't show anymore.
    form: isOver ? { ...$form.get(), actions: [], figures: null, next: null } : $form.get(),
  });

  /** Keeps a change in this browser until the coach saves. */
  function change(part: Partial<SessionForm>): void {
    $form.set({ ...$form.get(), ...part });
    $isStored.set(false);
    if (isSame($form.get(), initial.form)) pending.discard(initial.id);
    else pending.add(initial.id, written(), SESSION_DRAFT);
  }

  /** Saves, unless something's missing. Returns the fields with problems. */
  function save(): string[] {
    const found = sessionProblems(written().form, initial.timeZone, now());
    $problems.set(found);
    if (Object.keys(found).length === 0) pending.add(initial.id, written());
    return Object.keys(found);
  }

  return {
    $form,
    $problems,
    /** Whether the server has it. */
    $isStored,
    /** What's in this browser and how safe it is; null for nothing. */
    $item,
    /** Whether it's still being written down. */
    $isDraft: computed($item, (item) => item !== null && isSessionDraft(item.status)),
    /** Follows what's kept in this browser, also by other tabs. Returns the cleanup. */
    open(): () => void {
      const stop = pending.open();
      const unfollow = $item.subscribe((item) => {
        if (item && !isSame(item.value.form, $form.get())) $form.set(item.value.form);
      });
      return () => {
        unfollow();
        stop();
      };
    },
    change,
    save,
    /** Throws away what's written down in this browser. */
    discard(): void {
      pending.discard(initial.id);
      $form.set(initial.form);
      $problems.set({});
    },
  };
}
