/**
 * The live connection of a tab: one socket, whoever listens. supabase-js makes it again
 * after 1, 2, 5 and 10 s by itself; what was sent meanwhile was not heard, and `onBack` says when to
 * ask for it.
 */
import { atom, type ReadableAtom } from 'nanostores';
import type { Db } from './supabase.ts';

/** `away`: it was lost, or could not be made, and is tried again by itself. */
export type LiveState = 'connecting' | 'live' | 'away';

/** What somebody wants to hear of a channel. */
export interface ChannelHandlers {
  /** Something that was sent, by the database or by another person. */
  on?(event: string, payload: unknown): void;
  /** It is joined, for the first time or again: what was sent meanwhile was not heard. */
  onBack?(): void;
  /** The keys of those who are there. */
  onPresence?(keys: ReadonlySet<string>): void;
  /** The person may not be in it, or not any more. Who does not leave it is let in when they may. */
  onEnd?(): void;
}

export interface Channel {
  /** Sends something to the others; lost when there is no connection. */
  send(event: string, payload: object): void;
  leave(): void;
}

export interface Live {
  $state: ReadableAtom<LiveState>;
  /** People who are here now, of those that are watched. */
  $present: ReadableAtom<ReadonlySet<string>>;
  /** Joins a private channel, or listens to one that this tab has joined already. */
  join(topic: string, handlers: ChannelHandlers): Channel;
  /** Asks who of these people is here, of at most twenty at once; gives the end of it. */
  watch(people: readonly string[]): () => void;
  close(): void;
}

/** What it needs of the page around it; tests bring their own. */
export interface LiveDeps {
  db(): Promise<Db>;
  /** Runs the task once the page has time; gives the way to call it off. */
  whenIdle(task: () => void): () => void;
  /** Tells whether the session holds, now and whenever that changes. */
  onSession(tell: (signedIn: boolean) => void): () => void;
  /** Tells whether the person looks at this tab, now and whenever that changes. */
  onShown(tell: (shown: boolean) => void): () => void;
  /** Tells when the network goes and comes. */
  onNetwork(tell: (there: boolean) => void): () => void;
}

type Socket = ReturnType<Db['channel']>;

interface Topic {
  name: string;
  listeners: Set<ChannelHandlers>;
  socket: Socket | null;
  joined: boolean;
  keys: ReadonlySet<string>;
  /** How often in a row it was ended. */
  ends: number;
  cancelTimer: () => void;
}

/** Seconds until it is tried again; the last one repeats. The same as supabase-js's own. */
const AGAIN = [1, 2, 5, 10] as const;
const MOST_WATCHED = 20;

function later(tries: number, task: () => void): () => void {
  const timer = setTimeout(task, (AGAIN[Math.min(tries, AGAIN.length - 1)] ?? 10) * 1_000);
  return () => clearTimeout(timer);
}

/** What a server says to who may not join, embedded or hosted. */
const REFUSED = /unauthori[sz]ed|permission/i;

/** Sockets that are being closed: one that is opened meanwhile would be closed with them. */
const endings = new WeakMap<Db, Promise<unknown>>();

/** Opens a connection for a person. It is made when the page has time. */
export function createLive(me: string, deps: LiveDeps): Live {
  const $state = atom<LiveState>('connecting');
  const $present = atom<ReadonlySet<string>>(new Set());
  const topics = new Map<string, Topic>();
  const watched = new Map<string, { times: number; channel: Channel }>();
  /** Channels on their way out: a name can be joined again only after that. */
  const leaving = new Map<string, Promise<unknown>>();
  let client: Db | null = null;
  let signedIn = false;
  let shown = false;
  let closed = false;
  let tries = 0;
  let cancelOpening = () => {};

  async function open(): Promise<void> {
    try {
      const opened = await deps.db();
      await endings.get(opened);
      // Or the first channel would be asked for as a visitor.
      await opened.realtime.setAuth();
      if (closed || !signedIn || client) return;
      client = opened;
      tries = 0;
      for (const topic of topics.values()) subscribe(topic);
    } catch {
      if (closed || !signedIn) return;
      $state.set('away');
      cancelOpening = later(tries, () => void open());
      tries += 1;
    }
  }

  /** Ends what is joined; what is listened to is kept, for the next connection. */
  function hangUp() {
    cancelOpening();
    for (const topic of topics.values()) part(topic);
    const was = client;
    client = null;
    // Its own timer would do that a minute later.
    if (was) endings.set(was, was.realtime.disconnect());
  }

  function part(topic: Topic) {
    const { socket, name } = topic;
    topic.cancelTimer();
    topic.socket = null;
    topic.joined = false;
    hears(topic, new Set());
    if (!socket || !client) return;
    const gone = client.removeChannel(socket).catch(() => {});
    leaving.set(name, gone);
    void gone.then(() => leaving.get(name) === gone && leaving.delete(name));
  }

  function hears(topic: Topic, keys: ReadonlySet<string>) {
    topic.keys = keys;
    for (const each of topic.listeners) each.onPresence?.(keys);
  }

  function subscribe(topic: Topic): void {
    const gone = leaving.get(topic.name);
    if (gone) void gone.then(() => subscribe(topic));
    if (gone || !client || topic.socket || topics.get(topic.name) !== topic) return;
    const socket = client.channel(topic.name, {
      config: { private: true, presence: { key: me } },
    });
    topic.socket = socket;
    socket.on('broadcast', { event: '*' }, ({ event, payload }) => {
      for (const each of [...topic.listeners]) each.on?.(event, payload);
    });
    if (topic.name.startsWith('presence:')) {
      socket.on('presence', { event: 'sync' }, () =>
        hears(topic, new Set(Object.keys(socket.presenceState()))),
      );
    }
    socket.subscribe((status, error) => {
      if (topic.socket !== socket) return;
      if (status === 'SUBSCRIBED') joined(topic);
      else lost(topic, status === 'CLOSED', REFUSED.test(error?.message ?? ''));
    });
  }

  function joined(topic: Topic) {
    topic.joined = true;
    topic.ends = 0;
    if (topic.name === `person:${me}`) $state.set('live');
    if (topic.name === `presence:${me}`) beHere(topic);
    for (const each of [...topic.listeners]) each.onBack?.();
  }

  function lost(topic: Topic, ended: boolean, refused: boolean) {
    topic.joined = false;
    hears(topic, new Set());
    if (topic.name === `person:${me}`) $state.set('away');
    if (ended) {
      // The server ended it, and supabase-js has let go of it.
      topic.socket = null;
      topic.cancelTimer = later(topic.ends, () => subscribe(topic));
      topic.ends += 1;
    }
    if (ended || refused) for (const each of [...topic.listeners]) each.onEnd?.();
  }

  /** Shows the others that the person is at this tab, or is not. */
  function beHere(topic: Topic | undefined) {
    if (!topic?.joined || !topic.socket) return;
    void (shown ? topic.socket.track({ person_id: me }) : topic.socket.untrack());
  }

  function join(name: string, handlers: ChannelHandlers): Channel {
    let topic = topics.get(name);
    if (topic) {
      topic.listeners.add(handlers);
      if (topic.joined) handlers.onBack?.();
      if (topic.keys.size > 0) handlers.onPresence?.(topic.keys);
    } else {
      topic = {
        name,
        listeners: new Set([handlers]),
        socket: null,
        joined: false,
        keys: new Set(),
        ends: 0,
        cancelTimer: () => {},
      };
      topics.set(name, topic);
      subscribe(topic);
    }
    return {
      send(event, payload) {
        // Not joined, supabase-js would post it: what is lost here is not worth a request.
        if (topic.joined) void topic.socket?.send({ type: 'broadcast', event, payload });
      },
      leave() {
        if (!topic.listeners.delete(handlers) || topic.listeners.size > 0) return;
        part(topic);
        topics.delete(name);
      },
    };
  }

  function watchOne(id: string): Channel {
    const here = (there: boolean) => {
      if ($present.get().has(id) === there) return;
      const present = new Set($present.get());
      if (there) present.add(id);
      else present.delete(id);
      $present.set(present);
    };
    const channel = join(`presence:${id}`, {
      onPresence: (keys) => here(keys.has(id)),
      // They do not work together any more: nothing to ask for again.
      onEnd: () => channel.leave(),
    });
    return {
      ...channel,
      leave() {
        channel.leave();
        here(false);
      },
    };
  }

  function watch(people: readonly string[]): () => void {
    const mine: string[] = [];
    for (const id of new Set(people)) {
      const had = watched.get(id);
      if (had) had.times += 1;
      else if (watched.size >= MOST_WATCHED || id === me) continue;
      else watched.set(id, { times: 1, channel: watchOne(id) });
      mine.push(id);
    }
    return () => {
      for (const id of mine.splice(0)) {
        const had = watched.get(id);
        if (!had) continue;
        had.times -= 1;
        if (had.times > 0) continue;
        watched.delete(id);
        had.channel.leave();
      }
    };
  }

  const stops = [
    deps.onSession((holds) => {
      if (holds === signedIn) return;
      signedIn = holds;
      if (holds) cancelOpening = deps.whenIdle(() => void open());
      else {
        hangUp();
        $state.set('away');
      }
    }),
    deps.onShown((now) => {
      shown = now;
      beHere(topics.get(`presence:${me}`));
    }),
    deps.onNetwork((there) => {
      if (!there) {
        $state.set('away');
        for (const topic of topics.values()) hears(topic, new Set());
      }
      // The old socket may be dead and not know it until its next heartbeat.
      else if (client) void client.realtime.disconnect().then(() => client?.realtime.connect());
    }),
  ];
  join(`person:${me}`, {});
  join(`presence:${me}`, {});

  return {
    $state,
    $present,
    join,
    watch,
    close() {
      if (closed) return;
      closed = true;
      for (const stop of stops) stop();
      hangUp();
      topics.clear();
    },
  };
}
