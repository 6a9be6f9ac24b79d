import type { Caller } from '../gateway/lite.ts';
import type { Access } from './access.ts';
import { type Broadcast, writeBroadcast } from './frames.ts';
import type { Elsewhere, PassedOn } from './parcels.ts';
import {
  createPresence,
  metaOf,
  type Presence,
  type PresenceDiff,
  type Tracked,
} from './presence.ts';
import type { RealtimeSocket } from './socket.ts';

/** One socket in one channel. */
export interface Member {
  socket: RealtimeSocket;
  /** As the client writes it: `realtime:` and the topic. */
  topic: string;
  isPrivate: boolean;
  joinRef: string | null;
  caller: Caller;
  /** Seconds since 1970; of the token that was shown last. */
  expiresAt: number;
  access: Access;
  /** When the policies were asked about writing, as `performance.now()` gives it. */
  seenAt: number;
  ack: boolean;
  self: boolean;
  presenceKey: string;
  wantsPresence: boolean;
  /** Whether one more broadcast or word about itself is within its limit. */
  mayTell: () => boolean;
}

interface Channel {
  topic: string;
  isPrivate: boolean;
  members: Set<Member>;
  /** Those of other processes are there by the name of their process and their mark. */
  presence: Presence<Member | string>;
}

export interface Channels {
  join(member: Member): void;
  /** Tells the others, when the member was tracked. */
  leave(member: Member): void;
  track(member: Member, payload: Record<string, unknown>): void;
  untrack(member: Member): void;
  isTracked(member: Member): boolean;
  /**
   * Sends to everyone in a channel who may hear it.
   * @param topic without `realtime:`.
   * @param except whoever sent it and does not want it back.
   */
  broadcast(topic: string, isPrivate: boolean, message: Broadcast, except?: Member): void;
  /** The same for what a client sent, which the other processes are told. */
  send(topic: string, isPrivate: boolean, message: Broadcast, except?: Member): void;
  /** Takes what another process passed on. */
  take(message: PassedOn, from: string): void;
  /** Tells the other processes who is tracked here. */
  tellEveryone(): void;
  /** Another process is gone, and with it whoever was tracked there. */
  lose(process: string): void;
}

export const PREFIX = 'realtime:';

/**
 * The channels of this process. A private and a public one of the same topic know nothing of each other.
 *
 * @param passOn tells the other processes over the same database.
 */
export function createChannels(passOn: (message: PassedOn) => void): Channels {
  const channels = new Map<string, Channel>();
  const nameOf = (topic: string, isPrivate: boolean) =>
    `${isPrivate ? 'private' : 'public'} ${topic}`;
  const channelOf = (member: Member) => channels.get(nameOf(member.topic, member.isPrivate));

  function channelFor(topic: string, isPrivate: boolean): Channel {
    const name = nameOf(topic, isPrivate);
    const channel = channels.get(name) ?? {
      topic,
      isPrivate,
      members: new Set(),
      presence: createPresence(),
    };
    channels.set(name, channel);
    return channel;
  }

  function forgetWhenEmpty({ topic, isPrivate, members, presence }: Channel): void {
    if (members.size === 0 && presence.size === 0) channels.delete(nameOf(topic, isPrivate));
  }

  function tell(channel: Channel, diff: PresenceDiff | null): void {
    if (!diff) return;
    for (const member of channel.members) {
      if (!member.wantsPresence || !member.access.read.presence) continue;
      member.socket.push(member, 'presence_diff', diff);
    }
  }

  function removeTracked(channel: Channel, member: Member): void {
    const ref = channel.presence.get(member)?.meta.phx_ref;
    if (ref === undefined) return;
    tell(channel, channel.presence.remove(member));
    passOn({ kind: 'left', topic: channel.topic, isPrivate: channel.isPrivate, ref });
  }

  const elsewhereOf = ({ topic, isPrivate }: Channel, { key, meta }: Tracked): Elsewhere => ({
    topic,
    isPrivate,
    key,
    meta,
  });

  function putElsewhere(person: Elsewhere, from: string): void {
    const { topic, isPrivate, key, meta } = person;
    const channel = channelFor(topic, isPrivate);
    const owner = `${from} ${meta.phx_ref}`;
    if (!channel.presence.get(owner)) tell(channel, channel.presence.put(owner, { key, meta }));
  }

  /** Removes whom another process tracked, all but those who are still there. */
  function removeElsewhere(from: string, stillThere: ReadonlySet<string>): void {
    for (const channel of [...channels.values()]) {
      for (const [owner] of [...channel.presence.entries()]) {
        if (typeof owner !== 'string' || !owner.startsWith(`${from} `)) continue;
        if (!stillThere.has(owner)) tell(channel, channel.presence.remove(owner));
      }
      forgetWhenEmpty(channel);
    }
  }

  const here: Channels = {
    join(member) {
      const channel = channelFor(member.topic, member.isPrivate);
      channel.members.add(member);
      if (member.wantsPresence && member.access.read.presence) {
        member.socket.push(member, 'presence_state', channel.presence.state());
      }
    },
    leave(member) {
      const channel = channelOf(member);
      if (!channel?.members.delete(member)) return;
      removeTracked(channel, member);
      forgetWhenEmpty(channel);
    },
    track(member, payload) {
      const channel = channelOf(member);
      if (!channel) return;
      const before = channel.presence.get(member);
      const tracked = { key: member.presenceKey, meta: metaOf(payload, before) };
      tell(channel, channel.presence.put(member, tracked));
      const ref = before?.meta.phx_ref ?? null;
      passOn({ kind: 'joined', person: elsewhereOf(channel, tracked), before: ref });
    },
    untrack(member) {
      const channel = channelOf(member);
      if (channel) removeTracked(channel, member);
    },
    isTracked: (member) => channelOf(member)?.presence.get(member) !== undefined,
    broadcast(topic, isPrivate, message, except) {
      const full = PREFIX + topic;
      const channel = channels.get(nameOf(full, isPrivate));
      if (!channel) return;
      // Written once for each version, as the bytes that go out, however many listen.
      const written = new Map<string, ReturnType<typeof writeBroadcast>>();
      for (const member of [...channel.members]) {
        if (member === except || !member.access.read.broadcast) continue;
        const { version } = member.socket;
        if (!written.has(version)) written.set(version, writeBroadcast(full, message, version));
        const frame = written.get(version);
        if (frame) member.socket.deliver(member, frame);
      }
    },
    send(topic, isPrivate, { event, payload }, except) {
      here.broadcast(topic, isPrivate, { event, payload }, except);
      passOn({ kind: 'broadcast', topic, isPrivate, event, payload });
    },
    take(message, from) {
      switch (message.kind) {
        case 'broadcast':
          return here.broadcast(message.topic, message.isPrivate, message);
        case 'joined': {
          const { person, before } = message;
          const channel = channelFor(person.topic, person.isPrivate);
          const left = before === null ? null : channel.presence.remove(`${from} ${before}`);
          const { key, meta } = person;
          const { joins } = channel.presence.put(`${from} ${meta.phx_ref}`, { key, meta });
          return tell(channel, { joins, leaves: left?.leaves ?? {} });
        }
        case 'left': {
          const channel = channels.get(nameOf(message.topic, message.isPrivate));
          if (!channel) return;
          tell(channel, channel.presence.remove(`${from} ${message.ref}`));
          return forgetWhenEmpty(channel);
        }
        case 'everyone': {
          const { people } = message;
          removeElsewhere(from, new Set(people.map(({ meta }) => `${from} ${meta.phx_ref}`)));
          for (const person of people) putElsewhere(person, from);
        }
      }
    },
    tellEveryone() {
      const people: Elsewhere[] = [];
      for (const channel of channels.values()) {
        for (const [owner, tracked] of channel.presence.entries()) {
          if (typeof owner !== 'string') people.push(elsewhereOf(channel, tracked));
        }
      }
      passOn({ kind: 'everyone', people });
    },
    lose(process) {
      removeElsewhere(process, new Set());
    },
  };
  return here;
}
