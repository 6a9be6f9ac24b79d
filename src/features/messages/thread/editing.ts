/** What a person changes of what is there: shown at once, and put back where it is refused. */
import { atom } from 'nanostores';
import { type Message, removeMessage, saveMessage } from '#data/messages.ts';
import type { Db } from '#lib/supabase.ts';
import type { Place } from './conversation.ts';
import type { Change } from './shown-messages.ts';

export function createChanging({ db, heard, failed }: Place, take: (message: Message) => void) {
  const $changes = atom<ReadonlyMap<string, Change>>(new Map());
  /** What was last meant with each message, whatever became of it. */
  const latest = new Map<string, Change>();

  async function change(
    messageId: string,
    meant: Change,
    what: string,
    save: (client: Db) => Promise<Message>,
    again: () => void,
  ): Promise<boolean> {
    latest.set(messageId, meant);
    $changes.set(new Map($changes.get()).set(messageId, meant));
    try {
      take(await save(await db()));
      return true;
    } catch (thrown) {
      failed(what, heard(thrown), () => {
        // Words that were changed again since do not come back.
        if (meant.kind === 'remove' || latest.get(messageId) === meant) again();
      });
      return false;
    } finally {
      // A later change of the same message shows instead.
      const changes = new Map($changes.get());
      if (changes.get(messageId) === meant) changes.delete(messageId);
      $changes.set(changes);
    }
  }

  const edit = (messageId: string, text: string): Promise<boolean> =>
    change(
      messageId,
      { kind: 'edit', body: text.trim() },
      'Your change was not saved',
      (client) => saveMessage(client, messageId, text.trim()),
      () => void edit(messageId, text),
    );

  const remove = (messageId: string): Promise<boolean> =>
    change(
      messageId,
      { kind: 'remove', body: null },
      'Your message is still there',
      (client) => removeMessage(client, messageId),
      () => void remove(messageId),
    );

  /** A choice about the conversation; `show` gives the way back. Gives whether it is saved. */
  async function choose(
    what: string,
    show: () => () => void,
    save: (client: Db) => Promise<void>,
    again: () => void,
  ): Promise<boolean> {
    const restore = show();
    try {
      await save(await db());
      return true;
    } catch (thrown) {
      restore();
      failed(what, heard(thrown), again);
      return false;
    }
  }

  return { $changes, edit, remove, choose };
}
