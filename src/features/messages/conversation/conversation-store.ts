/** One conversation on its screen: stored and unsent messages, and who's present. */
import { atom, computed, type ReadableAtom } from 'nanostores';
import {
  type ConversationView,
  getConversation,
  newsOf,
  setConversationMuted,
} from '#data/conversations.ts';
import { setPersonBlocked } from '#data/correspondents.ts';
import { listMessageChanges, type Message, readMessages } from '#data/messages.ts';
import { createAttempt } from '#lib/attempt.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { LiveState } from '#lib/live/live.ts';
import { ConversationData } from './conversation-data.ts';
import { createEditing } from './editing.ts';
import {
  type Channels,
  createCatchUp,
  createChannels,
  createReadMarks,
  createTypingIndicator,
} from './following.ts';
import { createPaging } from './paging.ts';
import type {
  ConversationContext,
  ConversationDeps,
  ShownMessage,
  ThreadState,
} from './shown-messages.ts';
import { createMessageView, quoteOf, shownPending } from './shown-messages.ts';
import { hasGap, hasNewer, idsOf } from './thread.ts';
import { Writing } from './writing.ts';

/** How long to wait before fetching a gap, in case messages just arrived out of order. */
const GAP_MS = 200;
/** How often changes are fetched while there's no live connection. */
const POLL_MS = 20_000;

/** The same set every time, so that nothing renders again. */
const NOBODY: ReadonlySet<string> = new Set();

/** The store of one conversation. It does nothing until `open()` is called in a browser. */
export class ConversationStore {
  readonly data;
  readonly editing;
  readonly paging;
  readonly writing;
  /** In order, with unsent messages last. */
  readonly $messages: ReadableAtom<readonly ShownMessage[]>;
  /** Other people who are typing. */
  readonly $typing;
  /** Ids of other people who are present. */
  readonly $present;
  /** Whether the user can write here. */
  readonly $state: ReadableAtom<ThreadState>;
  /** The state of the live connection. */
  readonly $connection = atom<LiveState>('connecting');
  /** Sequence number of the first message that was unread when the page loaded. */
  readonly firstUnread: number | null;
  readonly #context: ConversationContext;
  readonly #allPresent = atom<ReadonlySet<string>>(new Set());
  readonly #readMarks;
  readonly #typing = createTypingIndicator();
  readonly #catchUp;
  #channels: Channels | null = null;

  constructor(deps: ConversationDeps, initial: ConversationView) {
    const { me } = deps;
    const data = new ConversationData(me, initial);
    const reportError = createErrorReporter(deps);
    const context = { ...deps, data, reportError, attempt: createAttempt(deps) };
    const { $people, $thread } = data;
    this.#context = context;
    this.data = data;
    this.firstUnread = firstUnreadOf(initial, me);
    this.#readMarks = createReadMarks(data.readSeqOf(me), (seq) => this.#saveReadSeq(seq));
    this.#catchUp = createCatchUp({
      fetchChanges: () => this.#fetchChanges(),
      fetchAll: () => this.#fetchAll(),
      signedOut: deps.signedOut,
      onNotFound: () => this.#setGone(),
    });
    this.paging = createPaging(context);
    this.editing = createEditing(context.attempt, (message) => this.#addMessage(message));
    this.writing = new Writing(context, initial.draft, {
      stored: () => idsOf($thread.get()),
      onStored: (message) => this.#addMessage(message),
      onMissed: () => this.#catchUp.request('changes'),
      onSent: () => {
        this.#channels?.handleSent();
        if (hasNewer($thread.get())) void this.paging.jumpToEnd();
      },
    });
    const $stored = computed([$thread, $people, this.editing.$changes], createMessageView(me));
    this.$messages = computed(
      [$stored, this.writing.$pending, $thread],
      (stored, pending, thread) => {
        const unsent = pending.filter(({ key }) => !idsOf(thread).has(key));
        return unsent.length > 0
          ? [...stored, ...unsent.map((each) => shownPending(each, me))]
          : stored;
      },
    );
    this.$typing = computed([this.#typing.$ids, $people], (ids, people) =>
      people.filter((person) => ids.has(person.id) && !person.left),
    );
    this.$present = computed([this.#allPresent, $people], (present, people) => {
      const others = people.filter(({ id }) => id !== me && present.has(id));
      return others.length === 0 ? NOBODY : new Set(others.map(({ id }) => id));
    });
    this.$state = computed(
      [data.$conversation, data.$gone],
      ({ open, closed_why }, gone): ThreadState => {
        if (gone) return { name: 'gone', why: gone };
        return open ? { name: 'open' } : { name: 'closed', why: closed_why ?? '' };
      },
    );
  }

  /** Joins the live channels and starts syncing; returns the cleanup function. */
  open(): () => void {
    const { me, openLive, holdFront } = this.#context;
    const live = openLive();
    const handlers = {
      onMessage: (event: string, payload: unknown) => this.#handleMessage(event, payload),
      onJoin: () => this.#handleJoin(),
      onEnd: () => this.#catchUp.request('all'),
    };
    const channels = createChannels(live, this.data, handlers, this.#typing.add);
    this.#channels = channels;
    const person = live.join(`person:${me}`, {
      onMessage: (event, payload) => this.#handleNews(event, payload),
    });
    let polling: ReturnType<typeof setInterval> | undefined;
    const cleanups = [
      this.writing.open(),
      live.$state.subscribe((state) => {
        this.$connection.set(state);
        clearInterval(polling);
        if (state === 'away')
          polling = setInterval(() => this.#catchUp.request('changes'), POLL_MS);
      }),
      live.$present.subscribe((present) => this.#allPresent.set(present)),
      this.data.$thread.listen(() => this.#fillGap()),
      holdFront(this.data.id),
    ];
    channels.join();
    return () => {
      for (const cleanup of cleanups) cleanup();
      clearInterval(polling);
      channels.leave();
      person.leave();
      for (const part of [this.#readMarks, this.#typing, this.#catchUp, live]) part.close();
      this.#channels = null;
    };
  }

  /** Marks the messages up to this sequence number as read. */
  readUpTo(seq: number): void {
    const { me } = this.data;
    if (seq <= this.data.readSeqOf(me)) return;
    this.#readMarks.markRead(seq);
    this.data.setReadSeq(me, seq);
  }

  /** Changes the draft, and tells the others that the user is typing. */
  write(text: string): void {
    this.writing.setDraft({ ...this.writing.$draft.get(), text });
    if (text !== '' && this.data.$conversation.get().open) this.#channels?.sendTyping();
  }

  /** Sets the message that the draft replies to; null for none. */
  reply(to: ShownMessage | null): void {
    const replyTo = to && to.seq !== null ? quoteOf({ ...to, seq: to.seq }) : null;
    this.writing.setDraft({ ...this.writing.$draft.get(), replyTo });
  }

  async mute(muted: boolean): Promise<void> {
    this.data.update({ muted });
    const isSaved = await this.#context.attempt(
      muted ? 'The conversation wasn’t muted' : 'The conversation is still muted',
      (client) => setConversationMuted(client, this.data.id, muted),
      () => void this.mute(muted),
      () => this.data.update({ muted: !muted }),
    );
    // The change may have been saved even though its response was lost.
    if (!isSaved) this.#catchUp.request('all');
  }

  async block(blocked: boolean): Promise<void> {
    const [other] = this.data.others();
    if (!other) return;
    this.data.$blocked.set(blocked);
    await this.#context.attempt(
      blocked ? `${other.name} wasn’t blocked` : `${other.name} is still blocked`,
      (client) => setPersonBlocked(client, other.id, blocked),
      () => void this.block(blocked),
      () => this.data.$blocked.set(!blocked),
    );
    this.#catchUp.request('all');
  }

  async #saveReadSeq(seq: number): Promise<void> {
    const { db, setUnread } = this.#context;
    const { unread, unread_total } = await readMessages(await db(), this.data.id, seq);
    this.data.update({ unread });
    setUnread(unread_total);
  }

  #addMessage(message: Message): void {
    this.data.addMessages([message]);
    if (message.author_id) this.#typing.remove(message.author_id);
    this.writing.clearSentDraft(message);
    this.writing.dropStored();
  }

  /** Fetches changes that the live channel hasn't delivered. */
  #fillGap(): void {
    const hasGapNow = () => hasGap(this.data.$thread.get());
    if (hasGapNow()) this.#catchUp.requestLater('changes', GAP_MS, hasGapNow);
  }

  /** Handles how far a person has read, including the user on another device. */
  #handleRead(personId: string, seq: number): void {
    if (personId === this.data.me) this.#readMarks.setSaved(seq);
    this.data.setReadSeq(personId, seq);
  }

  #setGone(): void {
    this.#channels?.leave();
    this.data.setGone();
  }

  async #fetchChanges(): Promise<void> {
    const client = await this.#context.db();
    const question = this.writing.countQuestion();
    for (let more = true; more; ) {
      const { known } = this.data.$thread.get();
      const changes = await listMessageChanges(client, this.data.id, known);
      this.data.applyChanges(changes);
      for (const { id, read_seq } of changes.people) this.#handleRead(id, read_seq);
      this.#checkEpoch(changes.epoch);
      more = changes.more;
    }
    this.writing.dropStored(question);
  }

  async #fetchAll(): Promise<void> {
    const view = await getConversation(await this.#context.db(), this.data.id);
    if (!view) return this.#setGone();
    const { epoch } = this.data.$conversation.get();
    this.data.applyView(view);
    this.writing.dropStored();
    const channels = this.#channels;
    if (channels && (epoch !== view.conversation.epoch || !channels.isJoined())) channels.join();
  }

  /** A new epoch means that someone joined or left, which changes the channel names. */
  #checkEpoch(epoch: number): void {
    if (epoch !== this.data.$conversation.get().epoch) this.#catchUp.request('all');
  }

  #handleJoin(): void {
    this.#catchUp.request('changes');
    this.#readMarks.retry();
    this.writing.flush();
  }

  #handleMessage(event: string, payload: unknown): void {
    const { message, person_id, seq } = payload as {
      message?: Message;
      person_id?: string;
      seq?: number;
    };
    if ((event === 'message' || event === 'changed') && message) this.#addMessage(message);
    if (event === 'read' && person_id && seq) this.#handleRead(person_id, seq);
    if (event === 'moved') this.#catchUp.request('all');
  }

  #handleNews(event: string, payload: unknown) {
    const news = event === 'conversation' ? newsOf(payload) : null;
    if (news?.id !== this.data.id) return;
    if (news.gone) return this.#setGone();
    this.#handleRead(this.data.me, news.read_seq);
    this.data.applyNews(news);
    this.#checkEpoch(news.epoch);
  }
}

function firstUnreadOf({ conversation, messages }: ConversationView, me: string): number | null {
  if (conversation.unread === 0) return null;
  const isUnread = ({ seq, author_id }: Message) => seq > conversation.read_seq && author_id !== me;
  return messages.find(isUnread)?.seq ?? null;
}
