/** Keeps a conversation current: live channels, catching up on missed changes, and read marks. */
import { atom } from 'nanostores';
import { classifyError } from '#lib/classify-error.ts';
import type { Channel, ChannelHandlers, Live } from '#lib/live/live.ts';
import { retryLater } from '#lib/live/live.ts';
import type { ConversationData } from './conversation-data.ts';

const TYPING = 'typing';
/** Milliseconds between typing events that are sent, and how long a received one is shown. */
const SEND_EVERY = 3_000;
const SHOWN_FOR = 5_000;

/** Tracks which other people are typing, by id. */
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

/** @param onTyping called when another person is typing */
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
    // Another browser sent this, not the database, so don't trust its shape.
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
    /** Joins the channels of the conversation's current epoch, and leaves the previous ones. */
    join() {
      leave();
      const topic = `${data.id}:${data.$conversation.get().epoch}`;
      typing = live.join(`${TYPING}:${topic}`, { onMessage: handleTyping });
      channels = [live.join(`conversation:${topic}`, messages), typing];
      stopWatching = live.watch(data.others().map(({ id }) => id));
    },
    /** Tells the others that the user is typing. */
    sendTyping() {
      if (Date.now() < quietUntil) return;
      quietUntil = Date.now() + SEND_EVERY;
      typing?.send(TYPING, { person_id: data.me });
    },
    /** Ends the pause between typing events, so the next keystroke sends one right away. */
    handleSent() {
      quietUntil = 0;
    },
  };
}

export type Channels = ReturnType<typeof createChannels>;

/** `changes`: messages since the known revision. `all`: the participants too. */
type Scope = 'changes' | 'all';

interface CatchUpDeps {
  fetchChanges(): Promise<void>;
  fetchAll(): Promise<void>;
  signedOut(): void;
  /** The user is no longer in the conversation. */
  onNotFound(): void;
}

/** Fetches what the live connection missed, one request at a time, and retries until it succeeds. */
export function createCatchUp(deps: CatchUpDeps) {
  let requested: Scope | null = null;
  let isRunning = false;
  let isClosed = false;
  let tries = 0;
  let cancel = () => {};

  const addScope = (scope: Scope) => {
    requested = requested === 'all' ? 'all' : scope;
  };

  /** Fetches now, or after the current request. */
  function request(scope: Scope) {
    if (isClosed) return;
    cancel();
    addScope(scope);
    if (!isRunning) void run();
  }

  /** Fetches after a delay, if it's still needed then. */
  function requestLater(scope: Scope, milliseconds: number, isNeeded: () => boolean) {
    if (isClosed) return;
    if (isRunning) return addScope(scope);
    cancel();
    const timer = setTimeout(() => isNeeded() && request(scope), milliseconds);
    cancel = () => clearTimeout(timer);
  }

  async function run() {
    isRunning = true;
    for (let scope = requested; scope && !isClosed; scope = requested) {
      requested = null;
      try {
        await (scope === 'all' ? deps.fetchAll() : deps.fetchChanges());
        tries = 0;
      } catch (thrown) {
        handleError(scope, thrown);
        break;
      }
    }
    isRunning = false;
  }

  function handleError(scope: Scope, thrown: unknown) {
    const { kind } = classifyError(thrown);
    if (kind === 'not-found') return deps.onNotFound();
    if (isClosed) return;
    addScope(scope);
    // Signing in restores the live connection, which requests it again when it joins.
    if (kind === 'signed-out') return deps.signedOut();
    cancel = retryLater(tries, () => request(scope));
    tries += 1;
  }

  const close = () => {
    isClosed = true;
    cancel();
  };
  return { request, requestLater, close };
}

const PAUSE_MS = 500;
const RETRY_MS = 15_000;
/** Errors that a retry may get past. */
const TEMPORARY: readonly string[] = ['network', 'rate-limited', 'unexpected'];

/**
 * Saves how far the user has read: right away, then at most twice a second.
 * @param saved the sequence number that the database has
 */
export function createReadMarks(saved: number, save: (seq: number) => Promise<void>) {
  let wanted = saved;
  let isBusy = false;
  let isClosed = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  async function send() {
    pause = undefined;
    clearTimeout(retryTimer);
    if (isBusy || wanted <= saved) return;
    isBusy = true;
    const seq = wanted;
    try {
      await save(seq);
      saved = Math.max(saved, seq);
    } catch (thrown) {
      // Until it's saved, other devices show the messages as unread and an email may go out.
      const mayRetry = !isClosed && TEMPORARY.includes(classifyError(thrown).kind);
      if (mayRetry) retryTimer = setTimeout(send, RETRY_MS);
      return;
    } finally {
      isBusy = false;
    }
    // A mark that was set meanwhile follows after a pause, or right away if the page has closed.
    pause = setTimeout(send, isClosed ? 0 : PAUSE_MS);
  }

  return {
    markRead(seq: number) {
      if (seq <= wanted) return;
      wanted = seq;
      if (!isBusy && !pause) void send();
    },
    /** Records what the database has, perhaps from another device. */
    setSaved(seq: number) {
      saved = Math.max(saved, seq);
      wanted = Math.max(wanted, seq);
    },
    /** Sends a read mark that failed before. */
    retry() {
      if (!pause) void send();
    },
    close() {
      isClosed = true;
      clearTimeout(pause);
      void send();
    },
  };
}
