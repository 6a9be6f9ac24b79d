/** One conversation on its screen: what the database has, what isn't sent yet, and who is there. */
import { atom, computed, type ReadableAtom } from 'nanostores';
import {
  type ConversationView,
  getConversation,
  newsOf,
  type Person,
  setConversationMuted,
} from '#data/conversations.ts';
import { setPersonBlocked } from '#data/correspondents.ts';
import {
  listMessageChanges,
  type Message,
  type MessageFile,
  readMessages,
} from '#data/messages.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { LiveState } from '#lib/live.ts';
import { Writing } from '../composer/writing.ts';
import { CatchUp } from './catch-up.ts';
import type { ConversationDeps, ShownMessage, ThreadState } from './conversation.ts';
import { ConversationChannels } from './conversation-channels.ts';
import { ConversationData } from './conversation-data.ts';
import { Editing } from './editing.ts';
import { Paging } from './paging.ts';
import { ReadMarks } from './read-marks.ts';
import { createMessageView, quoteOf, shownPending } from './shown-messages.ts';
import { hasGap, hasNewer, idsOf } from './thread.ts';
import { TypingIndicator } from './typing-indicator.ts';

/** A gap is fetched after this time, because messages may only have arrived out of order. */
const GAP_MS = 200;
/** How often changes are fetched while there's no live connection. */
const POLL_MS = 20_000;

/** The store of one conversation. Nothing happens before it is opened, in a browser. */
export class ConversationStore {
  /** In order; those that aren't sent yet come last. */
  readonly $messages: ReadableAtom<readonly ShownMessage[]>;
  /** Others who are typing. */
  readonly $typing: ReadableAtom<readonly Person[]>;
  /** Others who are present, by id. */
  readonly $present: ReadableAtom<ReadonlySet<string>>;
  /** Whether the person can write here. */
  readonly $state: ReadableAtom<ThreadState>;
  /** The state of the live connection. */
  readonly $connection = atom<LiveState>('connecting');
  /** The first message that was unread when the page was loaded. */
  readonly firstUnread: number | null;
  readonly #deps: ConversationDeps;
  readonly #data: ConversationData;
  readonly #allPresent = atom<ReadonlySet<string>>(new Set());
  readonly #readMarks: ReadMarks;
  readonly #typing: TypingIndicator;
  readonly #catchUp: CatchUp;
  readonly #paging: Paging;
  readonly #editing: Editing;
  readonly #writing: Writing;
  #channels: ConversationChannels | null = null;

  constructor(deps: ConversationDeps, initial: ConversationView) {
    const data = new ConversationData(deps.me, initial);
    const context = { ...deps, data, reportError: createErrorReporter(deps) };
    this.#deps = deps;
    this.#data = data;
    this.firstUnread = firstUnreadOf(initial, deps.me);
    this.#readMarks = new ReadMarks(data.readSeqOf(deps.me), (seq) => this.#saveReadSeq(seq));
    this.#typing = new TypingIndicator(() => this.#channels?.sendTyping());
    this.#catchUp = new CatchUp({
      fetchChanges: () => this.#fetchChanges(),
      fetchAll: () => this.#fetchAll(),
      signedOut: deps.signedOut,
      onNotFound: () => this.#setGone(),
    });
    this.#paging = new Paging(context);
    this.#editing = new Editing(context, (message) => this.#addMessage(message));
    this.#writing = new Writing(context, initial.draft, {
      stored: () => idsOf(data.$thread.get()),
      onStored: (message) => this.#addMessage(message),
      onMissed: () => this.#catchUp.request('changes'),
      onSent: () => {
        this.#typing.handleSent();
        if (hasNewer(data.$thread.get())) void this.jumpToEnd();
      },
    });
    const { $people, $thread } = data;
    this.$messages = computed(
      [
        computed([$thread, $people, this.#editing.$changes], createMessageView(deps.me)),
        this.#writing.$pending,
        $thread,
      ],
      (stored, pending, thread): readonly ShownMessage[] => {
        const unsent = pending.filter(({ key }) => !idsOf(thread).has(key));
        return unsent.length === 0
          ? stored
          : [...stored, ...unsent.map((each) => shownPending(each, deps.me))];
      },
    );
    this.$typing = computed([this.#typing.$ids, $people], (ids, people) =>
      people.filter((person) => ids.has(person.id) && !person.left),
    );
    this.$present = computed([this.#allPresent, $people], (present, people) => {
      const others = people.filter(({ id }) => id !== deps.me && present.has(id));
      return new Set(others.map(({ id }) => id));
    });
    this.$state = computed(
      [data.$conversation, data.$gone],
      ({ open, closed_why }, gone): ThreadState => {
        if (gone) return { name: 'gone', why: gone };
        return open ? { name: 'open' } : { name: 'closed', why: closed_why ?? '' };
      },
    );
  }

  get $conversation() {
    return this.#data.$conversation;
  }

  /** Everybody who takes part, including the reader. */
  get $people() {
    return this.#data.$people;
  }

  /** Whether the person has blocked the other one. */
  get $blocked() {
    return this.#data.$blocked;
  }

  get $draft() {
    return this.#writing.$draft;
  }

  get $older() {
    return this.#paging.$older;
  }

  get $newer() {
    return this.#paging.$newer;
  }

  /** Joins the live channels and follows what is written; returns its cleanup. */
  open(): () => void {
    const { me, openLive, holdFront } = this.#deps;
    const live = openLive();
    const channels = new ConversationChannels(live, {
      data: this.#data,
      messages: {
        onMessage: (event, payload) => this.#handleMessage(event, payload),
        onJoin: () => this.#handleJoin(),
        onEnd: () => this.#catchUp.request('all'),
      },
      onTyping: (personId) => this.#typing.handleTyping(personId),
    });
    this.#channels = channels;
    const person = live.join(`person:${me}`, {
      onMessage: (event, payload) => this.#handleNews(event, payload),
    });
    let polling: ReturnType<typeof setInterval> | undefined;
    const cleanups = [
      this.#writing.open(),
      live.$state.subscribe((state) => {
        this.$connection.set(state);
        clearInterval(polling);
        if (state === 'away')
          polling = setInterval(() => this.#catchUp.request('changes'), POLL_MS);
      }),
      live.$present.subscribe((present) => this.#allPresent.set(present)),
      this.#data.$thread.listen(() => this.#fillGap()),
      holdFront(this.#data.id),
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

  /** Sends the draft with files that are stored already. An empty one does nothing. */
  send(files: readonly MessageFile[] = []): void {
    this.#writing.send(files);
  }

  /** Sends a refused message again. */
  retry(id: string): void {
    this.#writing.retry(id);
  }

  /** Forgets an unsent message; its text goes back to the draft if that is empty. */
  discard(id: string): void {
    this.#writing.discard(id);
  }

  /** Changes a message, shown at once and undone if it's refused. Gives whether it is saved. */
  edit(id: string, text: string): Promise<boolean> {
    return this.#editing.edit(id, text);
  }

  /** Deletes a message in the same way. */
  remove(id: string): Promise<boolean> {
    return this.#editing.remove(id);
  }

  loadOlder(): Promise<void> {
    return this.#paging.loadOlder();
  }

  loadNewer(): Promise<void> {
    return this.#paging.loadNewer();
  }

  /** Brings a place onto the page; gives whether it is there now. */
  jumpTo(seq: number): Promise<boolean> {
    return this.#paging.jumpTo(seq);
  }

  /** Brings the newest messages onto the page; gives whether they are there now. */
  jumpToEnd(): Promise<boolean> {
    return this.#paging.jumpToEnd();
  }

  /** The person has seen the messages up to this place. */
  readUpTo(seq: number): void {
    const { me } = this.#deps;
    if (seq <= this.#data.readSeqOf(me)) return;
    this.#readMarks.markRead(seq);
    this.#data.setReadSeq(me, seq);
  }

  /** Changes the draft, and tells the others that the person is typing. */
  write(text: string): void {
    this.#writing.setDraft({ ...this.$draft.get(), text });
    if (text !== '' && this.$conversation.get().open) this.#typing.handleOwnTyping();
  }

  /** Chooses the message that the draft answers; null for none. */
  reply(to: ShownMessage | null): void {
    const replyTo = to && to.seq !== null ? quoteOf({ ...to, seq: to.seq }) : null;
    this.#writing.setDraft({ ...this.$draft.get(), replyTo });
  }

  async mute(muted: boolean): Promise<void> {
    const isSaved = await this.#editing.saveChoice(
      muted ? 'The conversation is not muted' : 'The conversation is still muted',
      {
        get: () => this.$conversation.get().muted,
        set: (value) => this.#data.update({ muted: value }),
      },
      muted,
      (client) => setConversationMuted(client, this.#data.id, muted),
      () => void this.mute(muted),
    );
    // It may have been stored although its answer was lost.
    if (!isSaved) this.#catchUp.request('all');
  }

  async block(blocked: boolean): Promise<void> {
    const [other] = this.#data.others();
    if (!other) return;
    await this.#editing.saveChoice(
      blocked ? `${other.name} is not blocked` : `${other.name} is still blocked`,
      this.$blocked,
      blocked,
      (client) => setPersonBlocked(client, other.id, blocked),
      () => void this.block(blocked),
    );
    this.#catchUp.request('all');
  }

  async #saveReadSeq(seq: number): Promise<void> {
    const answer = await readMessages(await this.#deps.db(), this.#data.id, seq);
    this.#data.update({ unread: answer.unread });
    this.#deps.setUnread(answer.unread_total);
  }

  #addMessage(message: Message): void {
    this.#data.addMessages([message]);
    if (message.author_id) this.#typing.handleStopped(message.author_id);
    this.#writing.clearSentDraft(message);
    this.#writing.dropStored();
  }

  /** Fetches changes that haven't arrived. */
  #fillGap(): void {
    const hasGapNow = () => hasGap(this.#data.$thread.get());
    if (hasGapNow()) this.#catchUp.requestLater('changes', GAP_MS, hasGapNow);
  }

  /** A person has read up to this place; the reader perhaps on another device. */
  #handleRead(personId: string, seq: number): void {
    if (personId === this.#deps.me) this.#readMarks.setSaved(seq);
    this.#data.setReadSeq(personId, seq);
  }

  #setGone(): void {
    this.#channels?.leave();
    this.#data.setGone();
  }

  async #fetchChanges(): Promise<void> {
    const client = await this.#deps.db();
    const question = this.#writing.countQuestion();
    for (let more = true; more; ) {
      const { known } = this.#data.$thread.get();
      const changes = await listMessageChanges(client, this.#data.id, known);
      this.#data.applyChanges(changes);
      for (const { id, read_seq } of changes.people) this.#handleRead(id, read_seq);
      this.#checkEpoch(changes.epoch);
      more = changes.more;
    }
    this.#writing.dropStored(question);
  }

  async #fetchAll(): Promise<void> {
    const view = await getConversation(await this.#deps.db(), this.#data.id);
    if (!view) return this.#setGone();
    const { epoch } = this.$conversation.get();
    this.#data.applyView(view);
    this.#writing.dropStored();
    const channels = this.#channels;
    if (channels && (epoch !== view.conversation.epoch || !channels.isJoined)) channels.join();
  }

  /** In a new epoch somebody joined or left, and the channels are other ones. */
  #checkEpoch(epoch: number): void {
    if (epoch !== this.$conversation.get().epoch) this.#catchUp.request('all');
  }

  #handleJoin(): void {
    this.#catchUp.request('changes');
    this.#readMarks.retry();
    this.#writing.flush();
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
    if (news?.id !== this.#data.id) return;
    if (news.gone) return this.#setGone();
    this.#handleRead(this.#deps.me, news.read_seq);
    this.#data.applyNews(news);
    this.#checkEpoch(news.epoch);
  }
}

function firstUnreadOf({ conversation, messages }: ConversationView, me: string): number | null {
  if (conversation.unread === 0) return null;
  const unread = messages.find(
    ({ seq, author_id }) => seq > conversation.read_seq && author_id !== me,
  );
  return unread?.seq ?? null;
}
