/**
 * A tab's realtime connection: one socket that everything on the page shares. supabase-js
 * reconnects on its own after 1, 2, 5 and 10 s. Messages sent in between are lost; `onJoin` signals
 * when to refetch.
 */
import { atom, type ReadableAtom } from 'nanostores';
import type { BrowserDb } from '../supabase.ts';
import { createPresenceWatch } from './live-presence.ts';

/** `away`: the connection was lost or couldn't be opened, and is being retried. */
export type LiveState = 'connecting' | 'live' | 'away';

/** Callbacks for one channel. */
export interface ChannelHandlers {
  /** The database or another person sent something. */
  onMessage?(event: string, payload: unknown): void;
  /** The channel was joined, for the first time or again; messages in between were missed. */
  onJoin?(): void;
  /** The connection was lost. It reconnects on its own. */
  onLost?(): void;
  /** The presence keys of everyone who is online. */
  onPresence?(keys: ReadonlySet<string>): void;
  /** The person isn't allowed in the channel, or no longer is. Joining is retried until `leave`. */
  onEnd?(): void;
}

export interface Channel {
  /** Sends an event to the others. It's dropped without a connection. */
  send(event: string, payload: object): void;
  leave(): void;
}

export interface Live {
  $state: ReadableAtom<LiveState>;
  /** Which of the watched people are online. */
  $present: ReadableAtom<ReadonlySet<string>>;
  /** Joins a private channel, or adds a listener if this tab has joined it already. */
  join(topic: string, handlers: ChannelHandlers): Channel;
  /** Watches whether these people are online, at most twenty at once. Returns the cleanup. */
  watch(people: readonly string[]): () => void;
  close(): void;
}

/** What it needs from the page. `on…` calls back at once and on changes, and returns a cleanup. */
export interface LiveDeps {
  db(): Promise<BrowserDb>;
  /** Runs the task once the page is idle. Returns a function that cancels it. */
  whenIdle(task: () => void): () => void;
  onSession(callback: (isSignedIn: boolean) => void): () => void;
  /** Whether the tab is visible. */
  onVisible(callback: (isVisible: boolean) => void): () => void;
  /** Calls back on changes only. */
  onNetwork(callback: (isOnline: boolean) => void): () => void;
}

type Socket = ReturnType<BrowserDb['channel']>;

/** Seconds between retries; the last one repeats. supabase-js uses the same. */
const RETRY_SECONDS = [1, 2, 5, 10] as const;

/** Schedules a retry after `tries` failures. Returns a function that cancels it. */
export function retryLater(tries: number, task: () => void): () => void {
  const seconds = RETRY_SECONDS[Math.min(tries, RETRY_SECONDS.length - 1)] ?? 10;
  const timer = setTimeout(task, seconds * 1_000);
  return () => clearTimeout(timer);
}

/** How the embedded and the hosted server word a refusal to join. */
const REFUSED = /unauthori[sz]ed|permission/i;

/** A private channel and this tab's listeners to it. */
class Topic {
  readonly #name: string;
  readonly #presenceKey: string;
  readonly #client: () => BrowserDb | null;
  readonly #listeners = new Set<ChannelHandlers>();
  #socket: Socket | null = null;
  #isJoined = false;
  #present: ReadonlySet<string> = new Set();
  /** How many times in a row the server closed it. */
  #timesClosed = 0;
  #cancelRetry = () => {};
  /** Resolves once its previous socket is removed; only then can the name be joined again. */
  #leaving: Promise<unknown> | null = null;

  constructor(name: string, presenceKey: string, client: () => BrowserDb | null) {
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
        // Before the join, supabase-js would send it over HTTP; a lost event isn't worth a request.
        if (this.#isJoined) void this.#socket?.send({ type: 'broadcast', event, payload });
      },
      leave: () => {
        if (this.#listeners.delete(handlers) && this.#listeners.size === 0) this.disconnect();
      },
    };
  }

  /** Joins the channel if there's a connection and at least one listener. */
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

  /** Leaves the channel, but keeps the listeners for the next connection. */
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

  /** Announces to the others that the person is online, or no longer is. */
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
      // The server closed it, so supabase-js has dropped it and won't reconnect.
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

/** Sockets that are closing. A new one opened before that finishes would be closed too. */
const closing = new WeakMap<BrowserDb, Promise<unknown>>();

/** One person's realtime connection in this tab. It opens when the page is idle. */
export class LiveConnection implements Live {
  readonly $state = atom<LiveState>('connecting');
  readonly $present: Live['$present'];
  readonly watch: Live['watch'];
  readonly #me: string;
  readonly #deps: LiveDeps;
  readonly #topics = new Map<string, Topic>();
  readonly #cleanups: (() => void)[];
  #client: BrowserDb | null = null;
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
      // Otherwise the first channel would be joined as a visitor.
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
    // On its own, supabase-js would disconnect only a minute later.
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
    // The old socket may be dead, which supabase-js would notice only at the next heartbeat.
    const client = this.#client;
    if (client) void client.realtime.disconnect().then(() => this.#client?.realtime.connect());
  }

  /** Announces whether the person is looking at this tab. */
  #trackSelf(): void {
    this.#topics.get(`presence:${this.#me}`)?.track(this.#isVisible);
  }
}
