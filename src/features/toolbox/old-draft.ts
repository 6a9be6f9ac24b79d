import { toolCopyKind } from '#sync/kinds/tool-copy.ts';
import type { Sync } from '#sync/sync.ts';

/**
 * Until November 2026 what was typed into a copy had a place of its own in the browser. What a person
 * left there unsaved goes out with the rest.
 */
export function takeUpOldDraft(sync: Sync, personId: string, copyId: string): void {
  const storageKey = `trellis-copy:${personId}:${copyId}`;
  const { storage } = sync.environment;
  try {
    const draft = JSON.parse(storage?.getItem(storageKey) ?? 'null');
    if (draft === null) return;
    const change = { value: { title: draft.title, body: draft.body }, base: draft };
    const read = toolCopyKind.parse(change);
    if (read) sync.write(toolCopyKind, copyId, read);
    storage?.removeItem(storageKey);
  } catch {
    // There is nothing to take up.
  }
}
