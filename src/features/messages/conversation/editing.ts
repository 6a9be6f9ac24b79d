import { atom } from 'nanostores';
import { type Message, removeMessage, saveMessage } from '#data/messages.ts';
import type { Attempt } from '#lib/attempt.ts';
import type { Db } from '#lib/supabase.ts';
import type { Change } from './shown-messages.ts';

/** Changes of own messages: shown right away, and undone if they are refused. */
export function createEditing(attempt: Attempt, onSaved: (message: Message) => void) {
  /** Changes that aren't answered yet, by message. */
  const $changes = atom<ReadonlyMap<string, Change>>(new Map());
  /** The last change of each message, whether it was saved or not. */
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
    // Unless a later change of the same message is shown.
    const changes = new Map($changes.get());
    if (changes.get(messageId) === change) changes.delete(messageId);
    $changes.set(changes);
    return isSaved;
  }

  return {
    $changes,
    /** Changes the text of a message. Gives whether it is saved. */
    edit(messageId: string, text: string) {
      const body = text.trim();
      return save(messageId, { kind: 'edit', body }, 'Your edit wasn’t saved', (client) =>
        saveMessage(client, messageId, body),
      );
    },
    /** Deletes a message. Gives whether it is deleted. */
    remove: (messageId: string) =>
      save(messageId, { kind: 'remove', body: null }, 'Your message wasn’t deleted', (client) =>
        removeMessage(client, messageId),
      ),
  };
}
