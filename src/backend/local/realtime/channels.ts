import type { Caller } from '../gateway/lite.ts';
import type { Access } from './access.ts';
import { type Broadcast, writeBroadcast } from './frames.ts';
import { diffOf, metaOf, stateOf, type Tracked } from './presence.ts';
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
  /** Whether one more broadcast or change of presence is within the limit. */
  maySend: () => boolean;
}

interface Channel {
  members: Set<Member>;
  presence: Map<Member, Tracked>;
}

export interface Channels {
  join(member: Member): void;
  /** Tells the others, when the member was tracked. */
  leave(member: Member): void;
  track(member: Member, payload: Record<string, unknown>): void;
  untrack(member: Member): void;
  isTracked(member: Member): boolean;
  /**
   * Sends to everyone in a channel who may read it.
   * @param topic without `realtime:`.
   * @param except the sender, who doesn't want it back.
   */
  broadcast(topic: string, isPrivate: boolean, message: Broadcast, except?: Member): void;
}

export const PREFIX = 'realtime:';

/** All channels. A private and a public one of the same topic know nothing of each other. */
export function createChannels(): Channels {
  const channels = new Map<string, Channel>();
  const nameOf = (topic: string, isPrivate: boolean) =>
    `${isPrivate ? 'private' : 'public'} ${topic}`;
  const channelOf = ({ topic, isPrivate }: Member) => channels.get(nameOf(topic, isPrivate));

  function sendPresence({ members }: Channel, joined: Tracked[], left: Tracked[]): void {
    const diff = diffOf(joined, left);
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
    join(member) {
      const name = nameOf(member.topic, member.isPrivate);
      const channel: Channel = channels.get(name) ?? { members: new Set(), presence: new Map() };
      channels.set(name, channel);
      channel.members.add(member);
      if (member.wantsPresence && member.access.read.presence) {
        member.socket.push(member, 'presence_state', stateOf(channel.presence.values()));
      }
    },
    leave(member) {
      const channel = channelOf(member);
      if (!channel?.members.delete(member)) return;
      untrack(channel, member);
      if (channel.members.size === 0) channels.delete(nameOf(member.topic, member.isPrivate));
    },
    track(member, payload) {
      const channel = channelOf(member);
      if (!channel) return;
      const before = channel.presence.get(member);
      const tracked = { key: member.presenceKey, meta: metaOf(payload, before) };
      channel.presence.set(member, tracked);
      sendPresence(channel, [tracked], before ? [before] : []);
    },
    untrack(member) {
      const channel = channelOf(member);
      if (channel) untrack(channel, member);
    },
    isTracked: (member) => channelOf(member)?.presence.has(member) === true,
    broadcast(topic, isPrivate, message, except) {
      const full = PREFIX + topic;
      const channel = channels.get(nameOf(full, isPrivate));
      if (channel) deliver(channel.members, writeBroadcast(full, message), except);
    },
  };
}

/** Sends a frame that is encoded once, however many listen. */
function deliver(members: ReadonlySet<Member>, frame: Buffer, except?: Member): void {
  for (const member of [...members]) {
    if (member !== except && member.access.read.broadcast) member.socket.deliver(member, frame);
  }
}
