/**
 * One conversation as its screen shows it: what the database holds in order, then what is not sent
 * yet; who types, who is there, and how far everybody has read.
 */
import { atom, computed, type ReadableAtom } from 'nanostores';
import {
  type Conversation,
  type ConversationView,
  getConversation,
  newsOf,
  type Person,
  type Reader,
  setConversationMuted,
} from '#data/conversations.ts';
import { setPersonBlocked } from '#data/correspondents.ts';
import {
  listMessageChanges,
  listMessages,
  type Message,
  type MessageFile,
  type Quote,
  readMessages,
  removeMessage,
  saveMessage,
} from '#data/messages.ts';
import { db } from '#lib/door.ts';
import type { AppError } from '#lib/errors.ts';
import { failureOf } from '#lib/failure-of.ts';
import { newId } from '#lib/new-id.ts';
import type { Outbox } from '#lib/outbox.ts';
import type { Db } from '#lib/supabase.ts';
import { type Channel, type Live, type LiveState, openLive } from '#stores/live.ts';
import { holdFront } from '#stores/notices.ts';
import { openOutbox, pageDoors as outboxDoors } from '#stores/outbox.ts';
import { setUnread } from '#stores/unread.ts';
import {
  DRAFT,
  followed,
  MESSAGE,
  quoteOf,
  shownWaiting,
  type Waiting,
  type Written,
  waitingIn,
} from './being-sent.ts';
import { createCatchUp } from './catch-up.ts';
import { createReadMarks } from './read-marks.ts';
import {
  hasGap,
  hasNewer,
  hasOlder,
  idsOf,
  movedTo,
  shownOf,
  type Thread,
  threadOf,
  withChanges,
  withMessages,
  withNews,
} from './thread.ts';
import { createWhoTypes, TYPING } from './who-types.ts';

/** How far a message of one's own has come. */
export type Delivery =
  /** Somebody else's. */
  | { name: 'received' }
  /** Waits in this browser for a connection, or for the session. */
  | { name: 'queued' }
  | { name: 'sending' }
  | { name: 'sent' }
  /** By so many of the others. */
  | { name: 'read'; by: number }
  /** It will not be accepted as it is; `retry` and `discard` are the ways out. */
  | { name: 'failed'; why: string };

/** A message on the screen. One that is not stored yet has no place. */
export interface ShownMessage extends Omit<Message, 'seq' | 'revision'> {
  seq: number | null;
  mine: boolean;
  delivery: Delivery;
  /** A change of one's own that is on its way; it shows already. */
  changing: 'edit' | 'remove' | null;
}

/** Whether one can write here, and why not in words. */
export type ThreadState =
  | { name: 'open' }
  | { name: 'closed'; why: string }
  /** The person takes no part in it any more. */
  | { name: 'gone'; why: string };

/** An end of the messages that are on the page. */
export type Edge =
  | { name: 'end' }
  | { name: 'more' }
  | { name: 'loading' }
  | { name: 'failed'; error: AppError };

/** What is being written. */
export interface Draft {
  text: string;
  replyTo: Quote | null;
}

export interface ConversationDoors {
  db: () => Promise<Db>;
  /** Called in a browser, when the store is opened. */
  openLive: () => Live;
  /** The same; `sent` is told of each message that this tab sent. */
  openOutbox: (sent: (message: Message) => void) => Outbox;
  /** Says that this conversation is in front of the person; gives the end of it. */
  holdFront: (conversationId: string) => () => void;
  /** Unread messages of all conversations, after some were read. */
  unread: (total: number) => void;
  /** The id of whoever looks at it. */
  me: string;
  signedOut: () => void;
  /** Tells the person what did not happen; `again` tries it once more. */
  failed: (what: string, error: AppError, again: () => void) => void;
}

export interface ConversationStore {
  $conversation: ReadableAtom<Conversation>;
  /** In order; what is not sent yet comes last. */
  $messages: ReadableAtom<readonly ShownMessage[]>;
  /** Everybody who takes part, oneself too. */
  $people: ReadableAtom<readonly Reader[]>;
  /** Others who are writing now. */
  $typing: ReadableAtom<readonly Person[]>;
  /** Others who are here now, by id. */
  $present: ReadableAtom<ReadonlySet<string>>;
  $state: ReadableAtom<ThreadState>;
  /** How the live connection is. */
  $connection: ReadableAtom<LiveState>;
  $older: ReadableAtom<Edge>;
  $newer: ReadableAtom<Edge>;
  $draft: ReadableAtom<Draft>;
  /** Whether the person blocked the other one. */
  $blocked: ReadableAtom<boolean>;
  /** The first message that was unread when the page came; its line stays until the page goes. */
  firstUnread: number | null;
  /** Joins the live channel and follows the outbox; gives the end of all of it. */
  open(): () => void;
  /** Sends what is written, with files that are stored already. Nothing to send does nothing. */
  send(files?: readonly MessageFile[]): void;
  /** Sends a failed one again. */
  retry(id: string): void;
  /** Forgets one that is not sent; its words go back to the draft where that is empty. */
  discard(id: string): void;
  /** Shows the change at once and puts it back where it is refused. Gives whether it is saved. */
  edit(id: string, text: string): Promise<boolean>;
  /** The same for taking a message away. */
  remove(id: string): Promise<boolean>;
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  /** Brings a place onto the page; gives whether it is there now. */
  jumpTo(seq: number): Promise<boolean>;
  /** Brings the newest messages onto the page. */
  jumpToEnd(): Promise<boolean>;
  /** The person has seen messages up to here. */
  readUpTo(seq: number): void;
  /** Keeps what is written, and shows the others that somebody writes. */
  write(text: string): void;
  reply(to: ShownMessage | null): void;
  mute(muted: boolean): Promise<void>;
  block(blocked: boolean): Promise<void>;
}

/** The doors of a page, for whoever looks at it. */
export function conversationDoors(me: string): Omit<ConversationDoors, 'signedOut' | 'failed'> {
  return {
    ...{ me, db, holdFront, unread: setUnread },
    openLive: () => openLive(me),
    openOutbox: (sent) => openOutbox(me, outboxDoors, undefined, undefined, sent),
  };
}

/** What does not come by itself is asked for after so long, in milliseconds: order may differ. */
const GAP_MS = 200;

/** A change of one's own that is on its way. */
interface Change {
  kind: 'edit' | 'remove';
  body: string | null;
}

type Loading = 'loading' | AppError | null;

const edgeOf = (more: boolean, loading: Loading): Edge => {
  if (loading === 'loading') return { name: 'loading' };
  if (!more) return { name: 'end' };
  return loading ? { name: 'failed', error: loading } : { name: 'more' };
};

const GONE = 'You no longer take part in this conversation.';

/** Makes the store of one conversation. Nothing happens before it is opened, in a browser. */
export function createConversationStore(
  doors: ConversationDoors,
  initial: ConversationView,
): ConversationStore {
  const { me } = doors;
  const { id } = initial.conversation;
  const $conversation = atom(initial.conversation);
  const $people = atom<readonly Reader[]>(initial.people);
  const $blocked = atom(initial.blocked);
  const $gone = atom<string | null>(null);
  const $thread = atom(threadOf(initial));
  const $waiting = atom<readonly Waiting[]>([]);
  const $changes = atom<ReadonlyMap<string, Change>>(new Map());
  const $sending = atom<'empty' | 'sending' | 'waiting' | 'signed-out'>('empty');
  const $connection = atom<LiveState>('connecting');
  const $here = atom<ReadonlySet<string>>(new Set());
  const $loadingOlder = atom<Loading>(null);
  const $loadingNewer = atom<Loading>(null);
  const $draft = atom<Draft>({
    text: initial.draft?.body ?? '',
    replyTo: initial.draft?.reply_to ?? null,
  });
  let draftIsStored = initial.draft !== null;
  /** Typed in this tab, not taken over from another one. */
  let ownWords = false;
  let asked = 0;
  let live: Live | null = null;
  let outbox: Outbox | null = null;
  let channels: Channel[] = [];
  let stopWatching = () => {};

  const mine = initial.people.find((person) => person.id === me);
  const marks = createReadMarks(mine?.read_seq ?? 0, async (seq) => {
    const answer = await readMessages(await doors.db(), id, seq);
    change({ unread: answer.unread });
    doors.unread(answer.unread_total);
  });
  const types = createWhoTypes(() => channels[1]?.send(TYPING, { person_id: me }));
  const catchUp = createCatchUp({
    changes: fillGap,
    whole: reload,
    signedOut: doors.signedOut,
    gone,
  });

  const change = (part: Partial<Conversation>) =>
    $conversation.set({ ...$conversation.get(), ...part });

  function heard(thrown: unknown): AppError {
    const error = failureOf(thrown);
    if (error.kind === 'signed-out') doors.signedOut();
    return error;
  }

  // What is shown -------------------------------------------------------------------------------

  let drawn = new Map<string, { from: Message; key: string; shown: ShownMessage }>();

  function draw(thread: Thread, people: readonly Reader[], changes: ReadonlyMap<string, Change>) {
    const readers = people.filter((person) => person.id !== me && !person.left);
    const next: typeof drawn = new Map();
    for (const from of shownOf(thread)) {
      const by = from.author_id === me ? readers.filter((r) => r.read_seq >= from.seq).length : -1;
      const changed = changes.get(from.id);
      const key = `${by} ${changed?.kind ?? ''} ${changed?.body ?? ''}`;
      const was = drawn.get(from.id);
      // The same object for the same message: only what changed is drawn anew.
      if (was?.from === from && was.key === key) next.set(from.id, was);
      else next.set(from.id, { from, key, shown: shownStored(thread, from, by, changed) });
    }
    drawn = next;
    return [...next.values()].map(({ shown }) => shown);
  }

  function shownStored(thread: Thread, from: Message, by: number, changed: Change | undefined) {
    const { revision: _revision, ...message } = from;
    const quoted = from.reply_to && thread.messages.get(from.reply_to.seq);
    const now = new Date().toISOString();
    const shown: ShownMessage = {
      ...message,
      // What is told to all leaves out words that some may not read; this person has them.
      reply_to: quoted?.id === from.reply_to?.id && quoted ? quoteOf(quoted) : from.reply_to,
      mine: by >= 0,
      delivery: by > 0 ? { name: 'read', by } : { name: by === 0 ? 'sent' : 'received' },
      changing: changed?.kind ?? null,
    };
    if (changed?.kind === 'edit') return { ...shown, body: changed.body, edited_at: now };
    return changed ? { ...shown, body: null, files: [], removed_at: now } : shown;
  }

  const $stored = computed([$thread, $people, $changes], draw);
  const $messages = computed(
    [$stored, $waiting, $sending, $thread],
    (stored, waiting, sending, thread): readonly ShownMessage[] => {
      if (waiting.length === 0) return stored;
      // A word of one's own stands at the end, which may not be on the page.
      const there = idsOf(thread);
      const here = waiting.filter(({ written }) => !there.has(written.id));
      return [...stored, ...here.map((each) => shownWaiting(each, me, sending))];
    },
  );

  // What is heard -------------------------------------------------------------------------------

  function took(thread: Thread) {
    const before = $thread.get();
    if (thread === before) return;
    $thread.set(thread);
    const { last_seq } = $conversation.get();
    if (thread.last > last_seq || thread.heard > $conversation.get().revision) {
      change({ last_seq: Math.max(last_seq, thread.last), revision: thread.heard });
    }
    if (hasGap(thread)) catchUp.askSoon('changes', GAP_MS, () => hasGap($thread.get()));
  }

  function take(message: Message) {
    took(withMessages($thread.get(), [message]));
    if (message.author_id) types.stops(message.author_id);
    // Sent from another tab, out of the words that stand here as well.
    const text = $draft.get().text.trim();
    if (message.author_id === me && !ownWords && text !== '' && message.body === text) {
      $draft.set({ text: '', replyTo: null });
    }
    forget();
  }

  /** What is stored waits no more. */
  function forget() {
    const there = idsOf($thread.get());
    const left = $waiting.get().filter(({ written }) => !there.has(written.id));
    if (left.length < $waiting.get().length) $waiting.set(left);
  }

  /** How far somebody has read; oneself perhaps on another device. */
  function hasRead(person: string, seq: number) {
    if (person === me) marks.known(seq);
    showRead(person, seq);
  }

  function showRead(person: string, seq: number) {
    const before = $people.get().find((each) => each.id === person);
    if (!before || before.read_seq >= seq) return;
    $people.set(
      $people.get().map((each) => (each.id === person ? { ...each, read_seq: seq } : each)),
    );
    if (person === me) change({ read_seq: seq });
  }

  function gone() {
    leave();
    $gone.set(GONE);
  }

  async function fillGap(): Promise<void> {
    const door = await doors.db();
    asked += 1;
    const question = asked;
    for (;;) {
      const answer = await listMessageChanges(door, id, $thread.get().known);
      took(withChanges($thread.get(), answer));
      for (const { id: person, read_seq } of answer.people) hasRead(person, read_seq);
      if (answer.epoch !== $conversation.get().epoch) catchUp.ask('whole');
      if (answer.more) continue;
      change({ unread: answer.unread });
      break;
    }
    forget();
    // Neither in the outbox nor stored: it was given up in another tab.
    const left = $waiting.get().filter(({ leftAt }) => leftAt === null || leftAt >= question);
    if (left.length < $waiting.get().length) $waiting.set(left);
  }

  async function reload(): Promise<void> {
    const view = await getConversation(await doors.db(), id);
    if (!view) {
      gone();
      return;
    }
    const { epoch } = $conversation.get();
    const read = $people.get().find((person) => person.id === me)?.read_seq ?? 0;
    $gone.set(null);
    $conversation.set(view.conversation);
    $people.set(view.people);
    // What was read a moment ago may still be on its way there.
    showRead(me, read);
    $blocked.set(view.blocked);
    const before = $thread.get();
    // They left and came back: what was said meanwhile is not theirs.
    const again = view.conversation.from_seq > before.first ? threadOf(view) : before;
    took(withNews(withMessages(again, view.messages), view.conversation));
    forget();
    if (epoch !== view.conversation.epoch || channels.length === 0) enter();
  }

  function onEvent(event: string, payload: unknown) {
    const said = payload as { message?: Message; person_id?: string; seq?: number };
    if ((event === 'message' || event === 'changed') && said.message) take(said.message);
    if (event === 'read' && said.person_id && said.seq) hasRead(said.person_id, said.seq);
    if (event === 'moved') catchUp.ask('whole');
  }

  function onNews(event: string, payload: unknown) {
    const news = event === 'conversation' ? newsOf(payload) : null;
    if (news?.id !== id) return;
    if (news.gone) {
      gone();
      return;
    }
    change({ title: news.title, muted: news.muted, unread: news.unread });
    hasRead(me, news.read_seq);
    took(withNews($thread.get(), news));
    if (news.epoch !== $conversation.get().epoch) catchUp.ask('whole');
  }

  function leave() {
    for (const channel of channels) channel.leave();
    channels = [];
    stopWatching();
    stopWatching = () => {};
  }

  function enter() {
    leave();
    if (!live) return;
    const place = `${id}:${$conversation.get().epoch}`;
    const lookAgain = () => catchUp.ask('whole');
    channels = [
      live.join(`conversation:${place}`, {
        on: onEvent,
        onBack: () => {
          catchUp.ask('changes');
          marks.again();
        },
        onEnd: lookAgain,
      }),
      live.join(`${TYPING}:${place}`, {
        on: (event, payload) => {
          const { person_id: person } = payload as { person_id?: string };
          if (event === TYPING && person && person !== me) types.heard(person);
        },
      }),
    ];
    stopWatching = live.watch(others().map((person) => person.id));
  }

  const others = () => $people.get().filter((person) => person.id !== me && !person.left);

  // What waits to be sent -----------------------------------------------------------------------

  function followOutbox(box: Outbox) {
    const entries = box.$entries.get();
    const there = idsOf($thread.get());
    const now = waitingIn(entries, id);
    const waiting = followed($waiting.get(), now, (each) => there.has(each), asked);
    $waiting.set(waiting);
    if (waiting.some(({ leftAt }) => leftAt === asked)) catchUp.ask('changes');
    const draft = entries.find(({ kind, key }) => kind === DRAFT && key === id);
    if (!draft) return;
    const { body, quote } = draft.body as { body: string; quote: Quote | null };
    if (body === $draft.get().text && quote?.id === $draft.get().replyTo?.id) return;
    ownWords = false;
    $draft.set({ text: body, replyTo: quote });
  }

  function keepDraft(draft: Draft) {
    $draft.set(draft);
    ownWords = true;
    const { text, replyTo } = draft;
    outbox?.put(DRAFT, id, {
      ...{ conversationId: id, body: text, replyTo: replyTo?.id ?? null, quote: replyTo },
    });
    draftIsStored ||= text !== '';
  }

  /** Takes the draft away here, and where other devices find it. */
  function dropDraft() {
    $draft.set({ text: '', replyTo: null });
    types.sent();
    // Sending takes it away there too; but that may be a while.
    if (draftIsStored) keepDraft({ text: '', replyTo: null });
    else outbox?.drop(DRAFT, id);
  }

  function sent(message: Message) {
    if (message.conversation_id !== id) return;
    take(message);
    if ($draft.get().text === '' && $draft.get().replyTo === null) {
      outbox?.drop(DRAFT, id);
      draftIsStored = false;
    }
  }

  function send(files: readonly MessageFile[] = []) {
    const { text, replyTo } = $draft.get();
    const body = text.trim();
    if (!outbox || (body === '' && files.length === 0)) return;
    const written: Written = {
      ...{ id: newId(), conversationId: id, body, replyTo: replyTo?.id ?? null },
      ...{ files: files.map((file) => file.id), quote: replyTo, brought: [...files] },
    };
    dropDraft();
    outbox.put(MESSAGE, written.id, written);
    if (hasNewer($thread.get())) void jumpToEnd();
  }

  const waitingFor = (messageId: string) =>
    $waiting.get().find(({ written }) => written.id === messageId)?.written;

  function retry(messageId: string) {
    const written = waitingFor(messageId);
    if (written) outbox?.put(MESSAGE, messageId, written);
  }

  function discard(messageId: string) {
    const written = waitingFor(messageId);
    $waiting.set($waiting.get().filter((each) => each.written.id !== messageId));
    outbox?.drop(MESSAGE, messageId);
    const { text } = $draft.get();
    if (written?.body && text.trim() === '') {
      keepDraft({ text: written.body, replyTo: written.quote });
    }
  }

  // What is changed -----------------------------------------------------------------------------

  async function changed(
    messageId: string,
    meant: Change,
    what: string,
    save: (door: Db) => Promise<Message>,
    again: () => void,
  ): Promise<boolean> {
    const put = (now: Change | null) => {
      const changes = new Map($changes.get());
      if (now) changes.set(messageId, now);
      else if (changes.get(messageId) === meant) changes.delete(messageId);
      $changes.set(changes);
    };
    put(meant);
    try {
      take(await save(await doors.db()));
      return true;
    } catch (thrown) {
      doors.failed(what, heard(thrown), again);
      return false;
    } finally {
      put(null);
    }
  }

  const edit = (messageId: string, text: string): Promise<boolean> =>
    changed(
      messageId,
      { kind: 'edit', body: text.trim() },
      'Your change was not saved',
      (door) => saveMessage(door, messageId, text.trim()),
      () => void edit(messageId, text),
    );

  const remove = (messageId: string): Promise<boolean> =>
    changed(
      messageId,
      { kind: 'remove', body: null },
      'Your message is still there',
      (door) => removeMessage(door, messageId),
      () => void remove(messageId),
    );

  // Where the page is ---------------------------------------------------------------------------

  async function load(
    $loading: typeof $loadingOlder,
    work: (door: Db) => Promise<void>,
  ): Promise<void> {
    if ($loading.get() === 'loading') return;
    $loading.set('loading');
    try {
      await work(await doors.db());
      $loading.set(null);
    } catch (thrown) {
      $loading.set(heard(thrown));
    }
  }

  const loadOlder = () =>
    load($loadingOlder, async (door) => {
      const page = await listMessages(door, id, { before: $thread.get().from });
      took(withMessages($thread.get(), page.messages));
    });

  const loadNewer = () =>
    load($loadingNewer, async (door) => {
      const page = await listMessages(door, id, { after: $thread.get().to });
      took(withMessages($thread.get(), page.messages));
    });

  async function jump(
    ask: (door: Db) => Promise<Message[] | undefined>,
    again: () => void,
  ): Promise<boolean> {
    try {
      const messages = await ask(await doors.db());
      if (!messages) return false;
      took(movedTo($thread.get(), messages));
      return true;
    } catch (thrown) {
      doors.failed('The messages were not opened', heard(thrown), again);
      return false;
    }
  }

  async function jumpTo(seq: number): Promise<boolean> {
    const { from, to } = $thread.get();
    if (seq >= from && seq <= to) return true;
    const there = await jump(
      async (door) => (await getConversation(door, id, seq))?.messages,
      () => void jumpTo(seq),
    );
    return there && $thread.get().messages.has(seq);
  }

  async function jumpToEnd(): Promise<boolean> {
    if (!hasNewer($thread.get())) return true;
    const before = $thread.get().last + 1;
    return jump(
      async (door) => (await listMessages(door, id, { before })).messages,
      () => void jumpToEnd(),
    );
  }

  /** Shows a choice at once, and puts it back where it is refused. */
  async function choose(
    what: string,
    show: () => () => void,
    save: (door: Db) => Promise<void>,
    again: () => void,
  ) {
    const restore = show();
    try {
      await save(await doors.db());
    } catch (thrown) {
      restore();
      doors.failed(what, heard(thrown), again);
    }
  }

  const mute = (muted: boolean): Promise<void> =>
    choose(
      muted ? 'The conversation is not muted' : 'The conversation is still muted',
      () => {
        const was = $conversation.get().muted;
        change({ muted });
        return () => change({ muted: was });
      },
      (door) => setConversationMuted(door, id, muted),
      () => void mute(muted),
    );

  async function block(blocked: boolean): Promise<void> {
    const [other] = others();
    if (!other) return;
    await choose(
      blocked ? `${other.name} is not blocked` : `${other.name} is still blocked`,
      () => {
        const was = $blocked.get();
        $blocked.set(blocked);
        return () => $blocked.set(was);
      },
      (door) => setPersonBlocked(door, other.id, blocked),
      () => void block(blocked),
    );
    catchUp.ask('whole');
  }

  function open(): () => void {
    const box = doors.openOutbox(sent);
    const connection = doors.openLive();
    outbox = box;
    live = connection;
    const person = connection.join(`person:${me}`, { on: onNews });
    const stops = [
      box.$entries.subscribe(() => followOutbox(box)),
      box.$state.subscribe(({ name }) => {
        if (name === 'signed-out') doors.signedOut();
        $sending.set(name);
      }),
      connection.$state.subscribe((state) => $connection.set(state)),
      connection.$present.subscribe((here) => $here.set(here)),
      doors.holdFront(id),
    ];
    enter();
    return () => {
      for (const stop of stops) stop();
      leave();
      person.leave();
      marks.close();
      types.close();
      catchUp.close();
      box.close();
      connection.close();
      outbox = null;
      live = null;
    };
  }

  return {
    ...{ $conversation, $messages, $people, $connection, $draft, $blocked },
    $typing: computed([types.$ids, $people], (ids, people) =>
      people.filter((person) => ids.has(person.id) && !person.left),
    ),
    $present: computed([$here, $people], (here, people) => {
      const ids = people.filter((person) => person.id !== me && here.has(person.id));
      return new Set(ids.map((person) => person.id));
    }),
    $state: computed(
      [$conversation, $gone],
      ({ open: mayWrite, closed_why }, gone): ThreadState => {
        if (gone) return { name: 'gone', why: gone };
        return mayWrite ? { name: 'open' } : { name: 'closed', why: closed_why ?? '' };
      },
    ),
    $older: computed([$thread, $loadingOlder], (thread, loading) =>
      edgeOf(hasOlder(thread), loading),
    ),
    $newer: computed([$thread, $loadingNewer], (thread, loading) =>
      edgeOf(hasNewer(thread), loading),
    ),
    firstUnread: firstUnreadOf(initial, me),
    ...{ open, send, retry, discard, edit, remove, loadOlder, loadNewer, jumpTo, jumpToEnd },
    readUpTo(seq) {
      if (seq <= ($people.get().find((person) => person.id === me)?.read_seq ?? 0)) return;
      marks.upTo(seq);
      showRead(me, seq);
    },
    write(text) {
      keepDraft({ ...$draft.get(), text });
      if (text !== '' && $conversation.get().open) types.typed();
    },
    reply(to) {
      const quote = to && to.seq !== null ? quoteOf({ ...to, seq: to.seq }) : null;
      keepDraft({ ...$draft.get(), replyTo: quote });
    },
    mute,
    block,
  };
}

function firstUnreadOf({ conversation, messages }: ConversationView, me: string): number | null {
  if (conversation.unread === 0) return null;
  const unread = messages.find(
    ({ seq, author_id }) => seq > conversation.read_seq && author_id !== me,
  );
  return unread?.seq ?? null;
}
