/** Optimistic changes of what is stored: shown at once, and undone if they are refused. */
import { atom } from 'nanostores';
import { type Message, removeMessage, saveMessage } from '#data/messages.ts';
import type { Db } from '#lib/supabase.ts';
import type { ConversationContext } from './conversation.ts';
import type { Change } from './shown-messages.ts';

interface Value<T> {
  get(): T;
  set(value: T): void;
}

export class Editing {
  /** Changes that aren't answered yet, by message. */
  readonly $changes = atom<ReadonlyMap<string, Change>>(new Map());
  readonly #context: ConversationContext;
  readonly #onSaved: (message: Message) => void;
  /** The last change of each message, whether it was saved or not. */
  readonly #latest = new Map<string, Change>();

  constructor(context: ConversationContext, onSaved: (message: Message) => void) {
    this.#context = context;
    this.#onSaved = onSaved;
  }

  edit(messageId: string, text: string): Promise<boolean> {
    const body = text.trim();
    return this.#change(
      messageId,
      { kind: 'edit', body },
      'Your change was not saved',
      (client) => saveMessage(client, messageId, body),
      () => void this.edit(messageId, text),
    );
  }

  remove(messageId: string): Promise<boolean> {
    return this.#change(
      messageId,
      { kind: 'remove', body: null },
      'Your message is still there',
      (client) => removeMessage(client, messageId),
      () => void this.remove(messageId),
    );
  }

  /** Saves a choice about the conversation. Gives whether it is saved. */
  async saveChoice<T>(
    title: string,
    choice: Value<T>,
    value: T,
    save: (client: Db) => Promise<void>,
    retry: () => void,
  ): Promise<boolean> {
    const { db, reportError, showFailure } = this.#context;
    const before = choice.get();
    choice.set(value);
    try {
      await save(await db());
      return true;
    } catch (thrown) {
      choice.set(before);
      showFailure(title, reportError(thrown), retry);
      return false;
    }
  }

  async #change(
    messageId: string,
    change: Change,
    title: string,
    save: (client: Db) => Promise<Message>,
    retry: () => void,
  ): Promise<boolean> {
    const { db, reportError, showFailure } = this.#context;
    this.#latest.set(messageId, change);
    this.$changes.set(new Map(this.$changes.get()).set(messageId, change));
    try {
      this.#onSaved(await save(await db()));
      return true;
    } catch (thrown) {
      showFailure(title, reportError(thrown), () => {
        // A retry must not undo a later edit.
        if (change.kind === 'remove' || this.#latest.get(messageId) === change) retry();
      });
      return false;
    } finally {
      // Unless a later change of the same message is shown.
      const changes = new Map(this.$changes.get());
      if (changes.get(messageId) === change) changes.delete(messageId);
      this.$changes.set(changes);
    }
  }
}
