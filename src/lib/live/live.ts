/**
 * The live connection of a tab: one socket, shared by everything on the page that listens.
 * supabase-js reconnects by itself after 1, 2, 5 and 10 s. Messages sent meanwhile are lost, and
 * `onJoin` says when to fetch what was missed.
 */
import { atom, type ReadableAtom } from 'nanostores';
import type { Db } from '../supabase.ts';
import { createPresenceWatch } from './live-presence.ts';

/** `away`: it was lost, or couldn't be made, and is retried by itself. */
export type LiveState = 'connecting' | 'live' | 'away';

/** What a listener wants to know about a channel. */
export interface ChannelHandlers {
  /** The database or another person sent something. */
  onMessage?(event: string, payload: unknown): void;
  /** The channel is joined, for the first time or again: messages in between were missed. */
  onJoin?(): void;
  /** The connection is lost; it's retried by itself. */
  onLost?(): void;
  /** The keys of those who are present. */
  onPresence?(keys: ReadonlySet<string>): void;
  /** The person may not be in it, or not any more. Until they leave it, joining is retried. */
  onEnd?(): void;
}

export interface Channel {
  /** Sends something to the others; lost when there is no connection. */
  send(event: string, payload: object): void;
  leave(): void;
}

export interface Live {
  $state: ReadableAtom<LiveState>;
  /** Which of the watched people are present now. */
  $present: ReadableAtom<ReadonlySet<string>>;
  /** Joins a private channel, or listens to one that this tab has joined already. */
  join(topic: string, handlers: ChannelHandlers): Channel;
  /** Watches whether these people are present, at most twenty at once; returns its cleanup. */
  watch(people: readonly string[]): () => void;
  close(): void;
}

/** What it needs from the page. The `on…` functions call back now and on every change, and return their cleanup. */
export interface LiveDeps {
  db(): Promise<Db>;
  /** Runs the task once the page is idle; returns what cancels it. */
  whenIdle(task: () => void): () => void;
  onSession(callback: (isSignedIn: boolean) => void): () => void;
  /** Whether the tab is visible. */
  onVisible(callback: (isVisible: boolean) => void): () => void;
  /** Calls back on changes only. */
  onNetwork(callback: (isOnline: boolean) => void): () => void;
}

type Socket = ReturnType<Db['channel']>;

/** Seconds between retries; the last one repeats. The same as supabase-js's own. */
const RETRY_SECONDS = [1, 2, 5, 10] as const;

/** Runs a task after the pause that follows so many failed tries; returns what cancels it. */
export function retryLater(tries: number, task: () => void): () => void {
  const seconds = RETRY_SECONDS[Math.min(tries, RETRY_SECONDS.length - 1)] ?? 10;
  const timer = setTimeout(task, seconds * 1_000);
  return () => clearTimeout(timer);
}

/** What a server, embedded or hosted, answers to a person who may not join. */
const REFUSED = /unauthori[sz]ed|permission/i;

/** One private channel with everything in this tab that listens to it. */
class Topic {
  readonly #name: string;
  readonly #presenceKey: string;
  readonly #client: () => Db | null;
  readonly #listeners = new Set<ChannelHandlers>();
  #socket: Socket | null = null;
  #isJoined = false;
  #present: ReadonlySet<string> = new Set();
  /** How often in a row the server closed it. */
  #timesClosed = 0;
  #cancelRetry = () => {};
  /** Its last socket on the way out: the name can be joined again only after that. */
  #leaving: Promise<unknown> | null = null;

  constructor(name: string, presenceKey: string, client: () => Db | null) {
    this.#name = name;
    this.#presenceKey = presenceKey;
    this.#client = client;
  }

  addListener(handlers: ChannelHandlers): Channel {
    this.#listeners.add(handlers);
    if (this.#isJoined) handlers.onJoin?.();
    if (this.#present.size > 0) handlers.onPresence?.(this.#present);
    this.connect();
    return {
      send: (event, payload) => {
        // Before it is joined supabase-js would post it, and a lost one isn't worth a request.
        if (this.#isJoined) void this.#socket?.send({ type: 'broadcast', event, payload });
      },
      leave: () => {
        if (this.#listeners.delete(handlers) && this.#listeners.size === 0) this.disconnect();
      },
    };
  }

  /** Joins the channel, if there's a connection and a listener. */
  connect(): void {
    if (this.#leaving) {
      void this.#leaving.then(() => this.connect());
      return;
    }
    const client = this.#client();
    if (!client || this.#socket || this.#listeners.size === 0) return;
    const socket = client.channel(this.#name, {
      config: { private: true, presence: { key: this.#presenceKey } },
    });
    this.#socket = socket;
    socket.on('broadcast', { event: '*' }, ({ event, payload }) =>
      this.#notify((each) => each.onMessage?.(event, payload)),
    );
    if (this.#name.startsWith('presence:')) {
      socket.on('presence', { event: 'sync' }, () =>
        this.setPresent(new Set(Object.keys(socket.presenceState()))),
      );
    }
    socket.subscribe((status, error) => {
      if (this.#socket !== socket) return;
      if (status === 'SUBSCRIBED') this.#handleJoin();
      else this.#handleLoss(status === 'CLOSED', REFUSED.test(error?.message ?? ''));
    });
  }

  /** Leaves the channel; listeners are kept for the next connection. */
  disconnect(): void {
    const socket = this.#socket;
    this.#cancelRetry();
    this.#socket = null;
    this.#isJoined = false;
    this.setPresent(new Set());
    const client = this.#client();
    if (!socket || !client) return;
    const removed = client.removeChannel(socket).catch(() => {});
    this.#leaving = removed;
    void removed.then(() => {
      if (this.#leaving === removed) this.#leaving = null;
    });
  }

  setPresent(keys: ReadonlySet<string>): void {
    this.#present = keys;
    this.#notify((each) => each.onPresence?.(keys));
  }

  /** Shows the others that the person is present, or isn't. */
  track(isPresent: boolean): void {
    if (!this.#isJoined || !this.#socket) return;
    void (isPresent
      ? this.#socket.track({ person_id: this.#presenceKey })
      : this.#socket.untrack());
  }

  #handleJoin(): void {
    this.#isJoined = true;
    this.#timesClosed = 0;
    this.#notify((each) => each.onJoin?.());
  }

  #handleLoss(isClosed: boolean, isRefused: boolean): void {
    this.#isJoined = false;
    this.setPresent(new Set());
    this.#notify((each) => each.onLost?.());
    if (isClosed) {
      // The server closed it, and supabase-js has forgotten it.
      this.#socket = null;
      this.#cancelRetry = retryLater(this.#timesClosed, () => this.connect());
      this.#timesClosed += 1;
    }
    if (isClosed || isRefused) this.#notify((each) => each.onEnd?.());
  }

  #notify(call: (handlers: ChannelHandlers) => void): void {
    for (const handlers of [...this.#listeners]) call(handlers);
  }
}

/** Sockets that are being closed: one opened meanwhile would be closed with them. */
const closing = new WeakMap<Db, Promise<unknown>>();

/** The connection of one person in this tab. It's opened when the page is idle. */
export class LiveConnection implements Live {
  readonly $state = atom<LiveState>('connecting');
  readonly $present: Live['$present'];
  readonly watch: Live['watch'];
  readonly #me: string;
  readonly #deps: LiveDeps;
  readonly #topics = new Map<string, Topic>();
  readonly #cleanups: (() => void)[];
  #client: Db | null = null;
  #isSignedIn = false;
  #isVisible = false;
  #isClosed = false;
  #tries = 0;
  #cancelOpening = () => {};

  constructor(me: string, deps: LiveDeps) {
    this.#me = me;
    this.#deps = deps;
    const presence = createPresenceWatch(me, (topic, handlers) => this.join(topic, handlers));
    this.$present = presence.$present;
    this.watch = presence.watch;
    this.join(`person:${me}`, {
      onJoin: () => this.$state.set('live'),
      onLost: () => this.$state.set('away'),
    });
    this.join(`presence:${me}`, { onJoin: () => this.#trackSelf() });
    this.#cleanups = [
      deps.onSession((isSignedIn) => this.#setSignedIn(isSignedIn)),
      deps.onVisible((isVisible) => {
        this.#isVisible = isVisible;
        this.#trackSelf();
      }),
      deps.onNetwork((isOnline) => this.#handleNetwork(isOnline)),
    ];
  }

  join(name: string, handlers: ChannelHandlers): Channel {
    const topic = this.#topics.get(name) ?? new Topic(name, this.#me, () => this.#client);
    this.#topics.set(name, topic);
    return topic.addListener(handlers);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const cleanup of this.#cleanups) cleanup();
    this.#disconnect();
    this.#topics.clear();
  }

  async #open(): Promise<void> {
    try {
      const client = await this.#deps.db();
      await closing.get(client);
      // Without it the first channel would be joined as a visitor.
      await client.realtime.setAuth();
      if (this.#isClosed || !this.#isSignedIn || this.#client) return;
      this.#client = client;
      this.#tries = 0;
      for (const topic of this.#topics.values()) topic.connect();
    } catch {
      if (this.#isClosed || !this.#isSignedIn) return;
      this.$state.set('away');
      this.#cancelOpening = retryLater(this.#tries, () => void this.#open());
      this.#tries += 1;
    }
  }

  #disconnect(): void {
    this.#cancelOpening();
    for (const topic of this.#topics.values()) topic.disconnect();
    const client = this.#client;
    this.#client = null;
    // By itself it would do that a minute later.
    if (client) closing.set(client, client.realtime.disconnect());
  }

  #setSignedIn(isSignedIn: boolean): void {
    if (isSignedIn === this.#isSignedIn) return;
    this.#isSignedIn = isSignedIn;
    if (isSignedIn) this.#cancelOpening = this.#deps.whenIdle(() => void this.#open());
    else {
      this.#disconnect();
      this.$state.set('away');
    }
  }

  #handleNetwork(isOnline: boolean): void {
    if (!isOnline) {
      this.$state.set('away');
      for (const topic of this.#topics.values()) topic.setPresent(new Set());
      return;
    }
    // The old socket may be dead, which it would notice only at its next heartbeat.
    const client = this.#client;
    if (client) void client.realtime.disconnect().then(() => this.#client?.realtime.connect());
  }

  /** Shows the others whether the person is looking at this tab. */
  #trackSelf(): void {
    this.#topics.get(`presence:${this.#me}`)?.track(this.#isVisible);
  }
}
