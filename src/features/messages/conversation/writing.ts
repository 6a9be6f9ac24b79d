/** What the user is writing: the draft, and messages that aren't stored yet. */
import { atom, computed, type ReadableAtom } from 'nanostores';
import type { ConversationView } from '#data/conversations.ts';
import type { Message, MessageFile } from '#data/messages.ts';
import { newId } from '#lib/new-id.ts';
import { draftKind } from '#sync/kinds/draft.ts';
import { messageKind, type WrittenMessage } from '#sync/kinds/message.ts';
import { createPendingList, type PendingList } from '#sync/pending-list.ts';
import type { Sync } from '#sync/sync.ts';
import type { ConversationContext, Draft, PendingMessage } from './shown-messages.ts';

const EMPTY: Draft = { text: '', replyTo: null };

interface WritingDeps {
  /** Ids of the messages that this page knows are stored. */
  stored: () => ReadonlySet<string>;
  /** A message that this tab sent is stored now. */
  onStored: (message: Message) => void;
  /** A message that another tab sent is stored; this tab doesn't have the stored version. */
  onMissed: () => void;
  /** A message was added to the queue. */
  onSent: () => void;
}

/** A message that another tab sent, and how many requests for missed changes preceded it. */
type SentElsewhere = PendingMessage & { question: number };

export class Writing {
  readonly $draft;
  readonly $pending: ReadableAtom<readonly PendingMessage[]>;
  readonly #context: ConversationContext;
  readonly #deps: WritingDeps;
  readonly #pending: PendingList<WrittenMessage>;
  readonly #$sentElsewhere = atom<readonly SentElsewhere[]>([]);
  #isDraftStored: boolean;
  /** Whether the draft was typed in this tab. */
  #isDraftOwn = false;
  /** How many requests for missed changes have been sent. */
  #questions = 0;

  constructor(context: ConversationContext, draft: ConversationView['draft'], deps: WritingDeps) {
    this.#context = context;
    this.#deps = deps;
    this.#isDraftStored = draft !== null;
    this.$draft = atom<Draft>({ text: draft?.body ?? '', replyTo: draft?.reply_to ?? null });
    this.#pending = createPendingList({
      openSync: context.openSync,
      kind: messageKind,
      belongs: ({ conversationId }) => conversationId === context.data.id,
      onStored: (value, answer) => this.#handleStored(value, answer),
    });
    this.$pending = computed([this.#$sentElsewhere, this.#pending.$items], (elsewhere, items) => [
      ...elsewhere,
      ...items,
    ]);
  }

  /** Follows drafts and unsent messages in all tabs; returns the cleanup function. */
  open(): () => void {
    const cleanups = [this.#pending.open(), this.#sync.$unsent.subscribe(() => this.#loadDraft())];
    return () => {
      for (const cleanup of cleanups) cleanup();
    };
  }

  setDraft(draft: Draft): void {
    this.$draft.set(draft);
    this.#isDraftOwn = true;
    this.#saveDraft(draft);
  }

  /** Sends the draft with files that are already uploaded. Does nothing if both are empty. */
  send(files: readonly MessageFile[] = []): void {
    const { text, replyTo } = this.$draft.get();
    const body = text.trim();
    if (body === '' && files.length === 0) return;
    const id = newId();
    this.#clearDraft();
    this.#pending.add(id, {
      id,
      conversationId: this.#context.data.id,
      body,
      replyTo: replyTo?.id ?? null,
      files: files.map((file) => file.id),
      quote: replyTo,
      brought: [...files],
    });
    this.#deps.onSent();
  }

  /** Sends a rejected message again. */
  retry(messageId: string): void {
    this.#pending.retry(messageId);
  }

  /** Discards an unsent message; its text goes back to the draft if that's empty. */
  discard(messageId: string): void {
    const written = this.#pending.$items.get().find(({ key }) => key === messageId)?.value;
    this.#pending.discard(messageId);
    if (written?.body && this.$draft.get().text.trim() === '') {
      this.setDraft({ text: written.body, replyTo: written.quote });
    }
  }

  /** Sends queued messages now, because the connection or the session is back. */
  flush(): void {
    this.#sync.flush();
  }

  /** Clears the draft if another tab has sent it as this message. */
  clearSentDraft({ author_id, body }: Message): void {
    const text = this.$draft.get().text.trim();
    const isOther = author_id === this.#context.me && !this.#isDraftOwn;
    if (isOther && text !== '' && body === text) this.$draft.set(EMPTY);
  }

  /** Numbers a request for missed changes; returns the number for `dropStored`. */
  countQuestion(): number {
    this.#questions += 1;
    return this.#questions;
  }

  /** Drops other tabs' messages that are stored, or that this request's response should contain. */
  dropStored(question = 0): void {
    const stored = this.#deps.stored();
    const before = this.#$sentElsewhere.get();
    const left = before.filter((each) => each.question >= question && !stored.has(each.key));
    if (left.length < before.length) this.#$sentElsewhere.set(left);
  }

  get #sync(): Sync {
    return this.#context.openSync();
  }

  #handleStored(value: WrittenMessage, answer: Message | undefined): void {
    if (answer) {
      this.#deps.onStored(answer);
      this.#handleSent();
    } else if (!this.#deps.stored().has(value.id)) {
      // It stays on the page as "sending" until the page has fetched it.
      const status = { name: 'saving' as const };
      const item = { key: value.id, value, at: Date.now(), status, question: this.#questions };
      this.#$sentElsewhere.set([...this.#$sentElsewhere.get(), item]);
      this.#deps.onMissed();
    }
  }

  /** Loads a draft that was saved before a reload or in another tab. */
  #loadDraft(): void {
    const kept = this.#sync.unsentOf(draftKind).find(({ key }) => key === this.#context.data.id);
    if (!kept) return;
    const { body, quote } = kept.value;
    this.#isDraftStored ||= body !== '';
    const { text, replyTo } = this.$draft.get();
    if (body === text && quote?.id === replyTo?.id) return;
    this.#isDraftOwn = false;
    this.$draft.set({ text: body, replyTo: quote });
  }

  #saveDraft({ text, replyTo }: Draft): void {
    const { id } = this.#context.data;
    const value = { conversationId: id, body: text, replyTo: replyTo?.id ?? null, quote: replyTo };
    this.#sync.write(draftKind, id, value);
    this.#isDraftStored ||= text !== '';
  }

  #clearDraft(): void {
    this.$draft.set(EMPTY);
    // Sending also clears it on other devices, but that may take a while.
    if (this.#isDraftStored) this.setDraft(EMPTY);
    else this.#sync.discard(draftKind, this.#context.data.id);
  }

  /** This tab's message is stored, and with it the database has deleted the draft. */
  #handleSent() {
    const draft = this.$draft.get();
    // The next draft may have been stored before the message, so it was deleted too.
    if (draft.text !== '') return this.#saveDraft(draft);
    if (draft.replyTo !== null) return;
    this.#sync.discard(draftKind, this.#context.data.id);
    this.#isDraftStored = false;
  }
}
