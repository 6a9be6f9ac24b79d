/**
 * One conversation as its screen shows it: what the database holds in order, then what is not sent
 * yet; who types, who is here, and how far everybody has read.
 */
import { atom, computed } from 'nanostores';
import {
  type Conversation,
  type ConversationView,
  getConversation,
  newsOf,
  type Reader,
  setConversationMuted,
} from '#data/conversations.ts';
import { setPersonBlocked } from '#data/correspondents.ts';
import { listMessageChanges, type Message, readMessages } from '#data/messages.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import { db } from '#lib/db.ts';
import type { Channel, Live, LiveState } from '#lib/live.ts';
import { openLive } from '#stores/live.ts';
import { holdFront } from '#stores/notices.ts';
import { setUnread } from '#stores/unread.ts';
import { pageSync } from '#sync/page-sync.ts';
import { quoteOf, shownPending } from '../composer/pending-messages.ts';
import { createWriting } from '../composer/writing.ts';
import { createCatchUp } from './catch-up.ts';
import type {
  ConversationDeps,
  ConversationStore,
  Place,
  ShownMessage,
  ThreadState,
} from './conversation.ts';
import { createChanging } from './editing.ts';
import { createMoving } from './paging.ts';
import { createReadMarks } from './read-marks.ts';
import { createDrawing } from './shown-messages.ts';
import {
  hasGap,
  hasNewer,
  idsOf,
  type Thread,
  threadOf,
  withChanges,
  withMessages,
  withNews,
} from './thread.ts';
import { createWhoTypes, TYPING } from './typing-indicator.ts';

/** The deps of a page, for whoever looks at it. */
export function conversationDeps(me: string): Omit<ConversationDeps, 'signedOut' | 'failed'> {
  return {
    ...{ me, db, holdFront, unread: setUnread },
    openLive: () => openLive(me),
    openSync: () => pageSync(me),
  };
}

/** What does not come by itself is asked for after so long, in milliseconds: order may differ. */
const GAP_MS = 200;
/** How often is asked while there is no live connection that could tell, in milliseconds. */
const AWAY_MS = 20_000;
const GONE = 'You no longer take part in this conversation.';

/** Makes the store of one conversation. Nothing happens before it is opened, in a browser. */
export function createConversationStore(
  deps: ConversationDeps,
  initial: ConversationView,
): ConversationStore {
  const { me } = deps;
  const { id } = initial.conversation;
  const $conversation = atom(initial.conversation);
  const $people = atom<readonly Reader[]>(initial.people);
  const $blocked = atom(initial.blocked);
  const $gone = atom<string | null>(null);
  const $thread = atom(threadOf(initial));
  const $connection = atom<LiveState>('connecting');
  const $here = atom<ReadonlySet<string>>(new Set());
  let live: Live | null = null;
  let channels: Channel[] = [];
  let stopWatching = () => {};

  const place: Place = {
    ...{ id, me, db: deps.db, failed: deps.failed, heard: createErrorReporter(deps) },
  };
  const marks = createReadMarks(readBy(me), async (seq) => {
    const answer = await readMessages(await deps.db(), id, seq);
    change({ unread: answer.unread });
    deps.unread(answer.unread_total);
  });
  const types = createWhoTypes(() => channels[1]?.send(TYPING, { person_id: me }));
  const catchUp = createCatchUp({
    changes: fillGap,
    whole: reload,
    signedOut: deps.signedOut,
    gone,
  });
  const moving = createMoving(place, $thread, took);
  const changing = createChanging(place, take);
  const writing = createWriting(
    place,
    {
      openSync: deps.openSync,
      stored: () => idsOf($thread.get()),
      onStored: take,
      onMissed: () => catchUp.ask('changes'),
      onSent() {
        types.sent();
        if (hasNewer($thread.get())) void moving.jumpToEnd();
      },
    },
    initial,
  );

  function readBy(person: string): number {
    return $people.get().find((each) => each.id === person)?.read_seq ?? 0;
  }

  function change(part: Partial<Conversation>) {
    $conversation.set({ ...$conversation.get(), ...part });
  }

  // What is heard -------------------------------------------------------------------------------

  function took(thread: Thread) {
    if (thread === $thread.get()) return;
    $thread.set(thread);
    const { last_seq, revision } = $conversation.get();
    if (thread.last > last_seq || thread.heard > revision) {
      change({ last_seq: Math.max(last_seq, thread.last), revision: thread.heard });
    }
    if (hasGap(thread)) catchUp.askSoon('changes', GAP_MS, () => hasGap($thread.get()));
  }

  function take(message: Message) {
    took(withMessages($thread.get(), [message]));
    if (message.author_id) types.stops(message.author_id);
    writing.arrived(message);
    writing.answered();
  }

  /** How far somebody has read; oneself perhaps on another device. */
  function hasRead(person: string, seq: number) {
    if (person === me) marks.known(seq);
    showRead(person, seq);
  }

  function showRead(person: string, seq: number) {
    if (readBy(person) >= seq) return;
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
    const client = await deps.db();
    const question = writing.asks();
    for (let more = true; more; ) {
      const answer = await listMessageChanges(client, id, $thread.get().known);
      took(withChanges($thread.get(), answer));
      for (const { id: person, read_seq } of answer.people) hasRead(person, read_seq);
      change({ unread: answer.unread });
      if (answer.epoch !== $conversation.get().epoch) catchUp.ask('whole');
      more = answer.more;
    }
    writing.answered(question);
  }

  async function reload(): Promise<void> {
    const view = await getConversation(await deps.db(), id);
    if (!view) return gone();
    const { epoch } = $conversation.get();
    const read = readBy(me);
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
    writing.answered();
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
    if (news.gone) return gone();
    change({ title: news.title, muted: news.muted, unread: news.unread });
    hasRead(me, news.read_seq);
    took(withNews($thread.get(), news));
    if (news.epoch !== $conversation.get().epoch) catchUp.ask('whole');
  }

  // The live channels ---------------------------------------------------------------------------

  const others = () => $people.get().filter((person) => person.id !== me && !person.left);

  function leave() {
    for (const channel of channels) channel.leave();
    channels = [];
    stopWatching();
    stopWatching = () => {};
  }

  function enter() {
    leave();
    if (!live) return;
    const topic = `${id}:${$conversation.get().epoch}`;
    channels = [
      live.join(`conversation:${topic}`, {
        onMessage: onEvent,
        onJoin: () => {
          catchUp.ask('changes');
          marks.again();
          writing.flush();
        },
        onEnd: () => catchUp.ask('whole'),
      }),
      live.join(`${TYPING}:${topic}`, {
        onMessage: (event, payload) => {
          // This comes from a person and not from the database: it may be anything.
          const said = payload as { person_id?: unknown } | null;
          const person = others().find(({ id: each }) => each === said?.person_id);
          if (event === TYPING && person) types.heard(person.id);
        },
      }),
    ];
    stopWatching = live.watch(others().map((person) => person.id));
  }

  function open(): () => void {
    const connection = deps.openLive();
    live = connection;
    const person = connection.join(`person:${me}`, { onMessage: onNews });
    let asking: ReturnType<typeof setInterval> | undefined;
    const stops = [
      writing.open(),
      connection.$state.subscribe((state) => {
        $connection.set(state);
        clearInterval(asking);
        if (state === 'away') asking = setInterval(() => catchUp.ask('changes'), AWAY_MS);
      }),
      connection.$present.subscribe((here) => $here.set(here)),
      deps.holdFront(id),
    ];
    enter();
    return () => {
      for (const stop of stops) stop();
      clearInterval(asking);
      leave();
      person.leave();
      for (const part of [marks, types, catchUp, connection]) part.close();
      live = null;
    };
  }

  async function mute(muted: boolean): Promise<void> {
    const saved = await changing.choose(
      muted ? 'The conversation is not muted' : 'The conversation is still muted',
      () => {
        const was = $conversation.get().muted;
        change({ muted });
        return () => change({ muted: was });
      },
      (client) => setConversationMuted(client, id, muted),
      () => void mute(muted),
    );
    // It may be stored, and only the answer lost.
    if (!saved) catchUp.ask('whole');
  }

  async function block(blocked: boolean): Promise<void> {
    const [other] = others();
    if (!other) return;
    await changing.choose(
      blocked ? `${other.name} is not blocked` : `${other.name} is still blocked`,
      () => {
        const was = $blocked.get();
        $blocked.set(blocked);
        return () => $blocked.set(was);
      },
      (client) => setPersonBlocked(client, other.id, blocked),
      () => void block(blocked),
    );
    catchUp.ask('whole');
  }

  const { $pending, $draft, keep, send, retry, discard } = writing;
  const { $older, $newer, loadOlder, loadNewer, jumpTo, jumpToEnd } = moving;
  const $stored = computed([$thread, $people, changing.$changes], createDrawing(me));

  return {
    ...{ $conversation, $people, $connection, $draft, $blocked, $older, $newer },
    $messages: computed(
      [$stored, $pending, $thread],
      (stored, pending, thread): readonly ShownMessage[] => {
        const there = idsOf(thread);
        const here = pending.filter(({ key }) => !there.has(key));
        if (here.length === 0) return stored;
        return [...stored, ...here.map((each) => shownPending(each, me))];
      },
    ),
    $typing: computed([types.$ids, $people], (ids, people) =>
      people.filter((person) => ids.has(person.id) && !person.left),
    ),
    $present: computed([$here, $people], (here, people) => {
      const there = people.filter((person) => person.id !== me && here.has(person.id));
      return new Set(there.map((person) => person.id));
    }),
    $state: computed([$conversation, $gone], ({ open: mayWrite, closed_why }, why): ThreadState => {
      if (why) return { name: 'gone', why };
      return mayWrite ? { name: 'open' } : { name: 'closed', why: closed_why ?? '' };
    }),
    firstUnread: firstUnreadOf(initial, me),
    ...{ open, send, retry, discard, mute, block },
    ...{ edit: changing.edit, remove: changing.remove },
    ...{ loadOlder, loadNewer, jumpTo, jumpToEnd },
    readUpTo(seq) {
      if (seq <= readBy(me)) return;
      marks.upTo(seq);
      showRead(me, seq);
    },
    write(text) {
      keep({ ...$draft.get(), text });
      if (text !== '' && $conversation.get().open) types.typed();
    },
    reply(to) {
      const quote = to && to.seq !== null ? quoteOf({ ...to, seq: to.seq }) : null;
      keep({ ...$draft.get(), replyTo: quote });
    },
  };
}

function firstUnreadOf({ conversation, messages }: ConversationView, me: string): number | null {
  if (conversation.unread === 0) return null;
  const unread = messages.find(
    ({ seq, author_id }) => seq > conversation.read_seq && author_id !== me,
  );
  return unread?.seq ?? null;
}
