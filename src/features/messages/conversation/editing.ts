import { atom } from 'nanostores';
import { type Message, removeMessage, saveMessage } from '#data/messages.ts';
import type { Attempt } from '#lib/attempt.ts';
import type { Db } from '#lib/supabase.ts';
import type { Change } from './shown-messages.ts';

/** Edits and deletions of the user's own messages: optimistic, and rolled back if they fail. */
export function createEditing(attempt: Attempt, onSaved: (message: Message) => void) {
  /** Changes whose request is still running, by message id. */
  const $changes = atom<ReadonlyMap<string, Change>>(new Map());
  /** The last change to each message, whether or not it was saved. */
  const latest = new Map<string, Change>();

  async function save(
    messageId: string,
    change: Change,
    title: string,
    send: (client: Db) => Promise<Message>,
  ): Promise<boolean> {
    latest.set(messageId, change);
    $changes.set(new Map($changes.get()).set(messageId, change));
    const isSaved = await attempt(
      title,
      async (client) => onSaved(await send(client)),
      () => {
        // A retry must not undo a later edit.
        if (change.kind === 'edit' && latest.get(messageId) !== change) return;
        void save(messageId, { ...change }, title, send);
      },
    );
    // Leave a later change to the same message in place.
    const changes = new Map($changes.get());
    if (changes.get(messageId) === change) changes.delete(messageId);
    $changes.set(changes);
    return isSaved;
  }

  return {
    $changes,
    /** Changes the text of a message; returns whether it was saved. */
    edit(messageId: string, text: string) {
      const body = text.trim();
      return save(messageId, { kind: 'edit', body }, 'Your edit wasn’t saved', (client) =>
        saveMessage(client, messageId, body),
      );
    },
    /** Deletes a message; returns whether it was deleted. */
    remove: (messageId: string) =>
      save(messageId, { kind: 'remove', body: null }, 'Your message wasn’t deleted', (client) =>
        removeMessage(client, messageId),
      ),
  };
}
