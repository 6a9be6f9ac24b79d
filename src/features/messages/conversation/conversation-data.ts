/** One conversation as this page knows it, and how updates from the database are applied. */
import { atom } from 'nanostores';
import type {
  Conversation,
  ConversationChange,
  ConversationView,
  Reader,
} from '#data/conversations.ts';
import type { Message, MessageChanges } from '#data/messages.ts';
import { type Thread, threadOf, withChanges, withMessages, withNews } from './thread.ts';

export class ConversationData {
  readonly id: string;
  readonly me: string;
  readonly $conversation;
  readonly $people;
  readonly $blocked;
  readonly $thread;
  /** Why the user is no longer in the conversation; null while they are. */
  readonly $gone = atom<string | null>(null);

  constructor(me: string, view: ConversationView) {
    this.me = me;
    this.id = view.conversation.id;
    this.$conversation = atom(view.conversation);
    this.$people = atom<readonly Reader[]>(view.people);
    this.$blocked = atom(view.blocked);
    this.$thread = atom(threadOf(view));
  }

  /** The others who are still in the conversation. */
  others(): Reader[] {
    return this.$people.get().filter((person) => person.id !== this.me && !person.left);
  }

  /** The sequence number up to which a person has read. */
  readSeqOf(personId: string): number {
    return this.$people.get().find(({ id }) => id === personId)?.read_seq ?? 0;
  }

  update(part: Partial<Conversation>): void {
    this.$conversation.set({ ...this.$conversation.get(), ...part });
  }

  setThread(thread: Thread): void {
    if (thread === this.$thread.get()) return;
    this.$thread.set(thread);
    const { last_seq, revision } = this.$conversation.get();
    if (thread.last > last_seq || thread.latest > revision) {
      this.update({ last_seq: Math.max(last_seq, thread.last), revision: thread.latest });
    }
  }

  addMessages(messages: readonly Message[]): void {
    this.setThread(withMessages(this.$thread.get(), messages));
  }

  /** Records how far a person has read. It never goes backward. */
  setReadSeq(personId: string, seq: number): void {
    if (this.readSeqOf(personId) >= seq) return;
    this.$people.set(
      this.$people.get().map((each) => (each.id === personId ? { ...each, read_seq: seq } : each)),
    );
    if (personId === this.me) this.update({ read_seq: seq });
  }

  /** Applies the changes since the last known revision. */
  applyChanges(changes: MessageChanges): void {
    this.setThread(withChanges(this.$thread.get(), changes));
    this.update({ unread: changes.unread });
  }

  /** Applies a notification about a change, which doesn't include the messages themselves. */
  applyNews(news: ConversationChange): void {
    const { title, muted, unread } = news;
    this.update({ title, muted, unread });
    this.setThread(withNews(this.$thread.get(), news));
  }

  /** Replaces the conversation with a newer view; messages on the page stay if still readable. */
  applyView(view: ConversationView): void {
    const readSeq = this.readSeqOf(this.me);
    this.$gone.set(null);
    this.$conversation.set(view.conversation);
    this.$people.set(view.people);
    // A read mark from a moment ago may not have reached the database yet.
    this.setReadSeq(this.me, readSeq);
    this.$blocked.set(view.blocked);
    const before = this.$thread.get();
    // Someone who left and rejoined can't read what was written in between.
    const thread = view.conversation.from_seq > before.first ? threadOf(view) : before;
    this.setThread(withNews(withMessages(thread, view.messages), view.conversation));
  }

  setGone(): void {
    this.$gone.set('You’re no longer in this conversation.');
  }
}
