import type { Caller } from './lite.ts';
import type { Access } from './realtime-access.ts';
import type { PassedOn } from './realtime-database.ts';
import { type Broadcast, writeBroadcast } from './realtime-frames.ts';
import { createPresence, type Presence, type PresenceDiff } from './realtime-presence.ts';
import type { RealtimeSocket } from './realtime-socket.ts';

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
  ack: boolean;
  self: boolean;
  presenceKey: string;
  wantsPresence: boolean;
}

interface Channel {
  members: Set<Member>;
  presence: Presence<Member>;
}

export interface Channels {
  join(member: Member): void;
  /** Tells the others, when the member was tracked. */
  leave(member: Member): void;
  track(member: Member, payload: Record<string, unknown>): void;
  untrack(member: Member): void;
  /**
   * Sends to everyone in a channel who may hear it.
   * @param topic without `realtime:`.
   * @param except whoever sent it and does not want it back.
   */
  broadcast(topic: string, isPrivate: boolean, message: Broadcast, except?: Member): void;
  /** The same for what a client sent, which the other processes are told. */
  send(topic: string, isPrivate: boolean, message: Broadcast, except?: Member): void;
}

export const PREFIX = 'realtime:';

/** The channels of this process. A private and a public one of the same topic know nothing of each other. */
export function createChannels(passOn: (message: PassedOn) => void): Channels {
  const channels = new Map<string, Channel>();
  const nameOf = (topic: string, isPrivate: boolean) =>
    `${isPrivate ? 'private' : 'public'} ${topic}`;
  const channelOf = (member: Member) => channels.get(nameOf(member.topic, member.isPrivate));

  function tell(channel: Channel, diff: PresenceDiff | null): void {
    if (!diff) return;
    for (const member of channel.members) {
      if (!member.wantsPresence || !member.access.read.presence) continue;
      member.socket.push(member, 'presence_diff', diff);
    }
  }

  const channelsHere: Channels = {
    join(member) {
      const name = nameOf(member.topic, member.isPrivate);
      const channel = channels.get(name) ?? { members: new Set(), presence: createPresence() };
      channels.set(name, channel);
      channel.members.add(member);
      if (member.wantsPresence && member.access.read.presence) {
        member.socket.push(member, 'presence_state', channel.presence.state());
      }
    },
    leave(member) {
      const channel = channelOf(member);
      if (!channel?.members.delete(member)) return;
      tell(channel, channel.presence.untrack(member));
      if (channel.members.size === 0) channels.delete(nameOf(member.topic, member.isPrivate));
    },
    track(member, payload) {
      const channel = channelOf(member);
      if (channel) tell(channel, channel.presence.track(member, member.presenceKey, payload));
    },
    untrack(member) {
      const channel = channelOf(member);
      if (channel) tell(channel, channel.presence.untrack(member));
    },
    broadcast(topic, isPrivate, message, except) {
      const full = PREFIX + topic;
      const channel = channels.get(nameOf(full, isPrivate));
      if (!channel) return;
      // Written once for each version, however many listen.
      const written = new Map<string, string | Buffer | null>();
      for (const member of channel.members) {
        if (member === except || !member.access.read.broadcast) continue;
        const { version } = member.socket;
        if (!written.has(version)) written.set(version, writeBroadcast(full, message, version));
        const frame = written.get(version);
        if (frame) member.socket.send(frame);
      }
    },
    send(topic, isPrivate, { event, payload }, except) {
      channelsHere.broadcast(topic, isPrivate, { event, payload }, except);
      passOn({ topic, isPrivate, event, payload });
    },
  };
  return channelsHere;
}
