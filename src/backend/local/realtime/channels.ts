import { randomUUID } from 'node:crypto';
import type { Caller } from '../gateway/lite.ts';
import type { Access } from './access.ts';
import { type Broadcast, writeBroadcast } from './frames.ts';
import type { RealtimeSocket } from './socket.ts';

/** One socket in one channel. */
export interface Member {
  socket: RealtimeSocket;
  /** As the client sends it: `realtime:` and the topic. */
  topic: string;
  isPrivate: boolean;
  joinRef: string | null;
  caller: Caller;
  /** When the client's latest token expires, in seconds since 1970. */
  expiresAt: number;
  access: Access;
  /** When the policies for writing were last checked, as `performance.now()`. */
  seenAt: number;
  ack: boolean;
  self: boolean;
  presenceKey: string;
  wantsPresence: boolean;
  /** Counts one more broadcast or presence change, and returns whether it's within the limit. */
  maySend: () => boolean;
}

interface Channel {
  members: Set<Member>;
  presence: Map<Member, Tracked>;
}

export type Channels = ReturnType<typeof createChannels>;

export const PREFIX = 'realtime:';

/** All channels. A private and a public channel of the same topic are separate. */
export function createChannels() {
  const channels = new Map<string, Channel>();
  const nameOf = (topic: string, isPrivate: boolean) =>
    `${isPrivate ? 'private' : 'public'} ${topic}`;
  const channelOf = ({ topic, isPrivate }: Member) => channels.get(nameOf(topic, isPrivate));

  function sendPresence({ members }: Channel, joined: Tracked[], left: Tracked[]): void {
    const diff = { joins: stateOf(joined), leaves: stateOf(left) };
    for (const member of members) {
      if (!member.wantsPresence || !member.access.read.presence) continue;
      member.socket.push(member, 'presence_diff', diff);
    }
  }

  function untrack(channel: Channel, member: Member): void {
    const before = channel.presence.get(member);
    if (!before) return;
    channel.presence.delete(member);
    sendPresence(channel, [], [before]);
  }

  return {
    join(member: Member): void {
      const name = nameOf(member.topic, member.isPrivate);
      const channel: Channel = channels.get(name) ?? { members: new Set(), presence: new Map() };
      channels.set(name, channel);
      channel.members.add(member);
      if (member.wantsPresence && member.access.read.presence) {
        member.socket.push(member, 'presence_state', stateOf(channel.presence.values()));
      }
    },
    /** Removes a member from its channel, and tells the others if it was tracked. */
    leave(member: Member): void {
      const channel = channelOf(member);
      if (!channel?.members.delete(member)) return;
      untrack(channel, member);
      if (channel.members.size === 0) channels.delete(nameOf(member.topic, member.isPrivate));
    },
    track(member: Member, payload: Record<string, unknown>): void {
      const channel = channelOf(member);
      if (!channel) return;
      const before = channel.presence.get(member);
      const tracked = { key: member.presenceKey, meta: metaOf(payload, before) };
      channel.presence.set(member, tracked);
      sendPresence(channel, [tracked], before ? [before] : []);
    },
    untrack(member: Member): void {
      const channel = channelOf(member);
      if (channel) untrack(channel, member);
    },
    /** Whether anyone is in a channel of this topic (without `realtime:`). */
    isOpen: (topic: string) =>
      [true, false].some((isPrivate) => channels.has(nameOf(PREFIX + topic, isPrivate))),
    isTracked: (member: Member) => channelOf(member)?.presence.has(member) === true,
    /** Sends to all who may read a topic (without `realtime:`), but not to `except`, the sender. */
    broadcast(topic: string, isPrivate: boolean, message: Broadcast, except?: Member): void {
      const full = PREFIX + topic;
      const channel = channels.get(nameOf(full, isPrivate));
      if (channel) deliver(channel.members, writeBroadcast(full, message), except);
    },
  };
}

/** Sends a frame that's encoded only once, no matter how many members receive it. */
function deliver(members: ReadonlySet<Member>, frame: Buffer, except?: Member): void {
  for (const member of [...members]) {
    if (member !== except && member.access.read.broadcast) member.socket.deliver(member, frame);
  }
}

type Meta = Record<string, unknown> & { phx_ref: string };
type PresenceState = Record<string, { metas: Meta[] }>;

/** One tracked client. A key may be tracked several times, such as by one user's several tabs. */
interface Tracked {
  key: string;
  meta: Meta;
}

/** All tracked clients by key. Built from entries, so that `__proto__` is a key like any other. */
function stateOf(all: Iterable<Tracked>): PresenceState {
  const byKey = new Map<string, Meta[]>();
  for (const { key, meta } of all) byKey.set(key, [...(byKey.get(key) ?? []), meta]);
  return Object.fromEntries([...byKey].map(([key, metas]) => [key, { metas }]));
}

/** Replaces a `person_id` in a client's payload with the verified user ID, so it can't be faked. */
export function withOwnPersonId<Payload>(payload: Payload, sub: string | undefined): Payload {
  const hasId = typeof payload === 'object' && payload !== null && 'person_id' in payload;
  return hasId ? { ...payload, person_id: sub ?? null } : payload;
}

/** A client's payload with a new reference, and the reference of the entry it replaces. */
function metaOf(payload: Record<string, unknown>, before: Tracked | undefined): Meta {
  const { phx_ref: _ref, phx_ref_prev: _previous, ...said } = payload;
  const previous = before ? { phx_ref_prev: before.meta.phx_ref } : {};
  return { ...said, phx_ref: randomUUID(), ...previous };
}
