/** The live channels of one conversation: its messages, who types, and who is present. */
import { atom } from 'nanostores';
import type { Channel, ChannelHandlers, Live } from '#lib/live.ts';
import type { ConversationData } from './conversation-data.ts';

const TYPING = 'typing';
/** Sent at most this often, and shown for this long, in milliseconds. */
const SEND_EVERY = 3_000;
const SHOWN_FOR = 5_000;

/** Who of the others is typing, by id. */
export function createTypingIndicator() {
  const $ids = atom<ReadonlySet<string>>(new Set());
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const update = () => $ids.set(new Set(timers.keys()));

  function remove(id: string) {
    clearTimeout(timers.get(id));
    if (timers.delete(id)) update();
  }

  function add(id: string) {
    const isNew = !timers.has(id);
    clearTimeout(timers.get(id));
    timers.set(
      id,
      setTimeout(() => remove(id), SHOWN_FOR),
    );
    if (isNew) update();
  }

  const close = () => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };
  return { $ids, add, remove, close };
}

/** @param onTyping one of the others is typing */
export function createChannels(
  live: Live,
  data: ConversationData,
  messages: ChannelHandlers,
  onTyping: (personId: string) => void,
) {
  let channels: Channel[] = [];
  let typing: Channel | null = null;
  let stopWatching = () => {};
  let quietUntil = 0;

  function handleTyping(event: string, payload: unknown) {
    // Sent by a browser, not by the database, so it may be anything.
    const { person_id } = (payload ?? {}) as { person_id?: unknown };
    const person = data.others().find(({ id }) => id === person_id);
    if (event === TYPING && person) onTyping(person.id);
  }

  function leave() {
    for (const channel of channels) channel.leave();
    channels = [];
    typing = null;
    stopWatching();
    stopWatching = () => {};
  }

  return {
    isJoined: () => channels.length > 0,
    leave,
    /** Joins the channels of the conversation's present epoch, and leaves those of the one before. */
    join() {
      leave();
      const topic = `${data.id}:${data.$conversation.get().epoch}`;
      typing = live.join(`${TYPING}:${topic}`, { onMessage: handleTyping });
      channels = [live.join(`conversation:${topic}`, messages), typing];
      stopWatching = live.watch(data.others().map(({ id }) => id));
    },
    /** Tells the others that the person is typing. */
    sendTyping() {
      if (Date.now() < quietUntil) return;
      quietUntil = Date.now() + SEND_EVERY;
      typing?.send(TYPING, { person_id: data.me });
    },
    /** After a message was sent, the next letter is told right away. */
    handleSent() {
      quietUntil = 0;
    },
  };
}

export type Channels = ReturnType<typeof createChannels>;
