import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { TokenError } from '../auth/tokens.ts';
import type { Caller } from '../gateway/lite.ts';
import { type Access, mayHear, type Verdict } from './access.ts';
import { type Channels, type Member, PREFIX } from './channels.ts';
import {
  type Frame,
  isObject,
  MalformedFrame,
  readFrame,
  type Version,
  type WrittenFrame,
  writeFrame,
} from './frames.ts';
import { createAllowance, type RealtimeLimits } from './limits.ts';
import { inOwnName } from './presence.ts';

/** Someone as their token shows them; `expiresAt` in seconds since 1970. */
export interface Bearer {
  caller: Caller;
  expiresAt: number;
}

/** What the policies allow them, and when they said so. */
interface Seen {
  access: Access;
  seenAt: number;
}

export interface SocketContext {
  channels: Channels;
  limits: RealtimeLimits;
  /** What sessions and policies say; the topic is null for a public channel. */
  ask(caller: Caller, topic: string | null): Promise<Verdict>;
  /** @throws {TokenError} for a token that is forged or expired. */
  bearerOf(token: string | undefined): Promise<Bearer>;
  log(line: string): void;
}

export interface RealtimeSocket {
  version: Version;
  /** Its channels by topic, `realtime:` included. */
  members: ReadonlyMap<string, Member>;
  /** Sends what was written for many. Who has outlived their token hears of that instead. */
  deliver(member: Member, frame: WrittenFrame): void;
  push(member: Member, event: string, payload: Record<string, unknown>): void;
  /** Ends one channel and says why. */
  end(member: Member, reason: string): void;
  close(code: number, reason: string): void;
}

/** Speaks with one client until it goes. Its frames are dealt with one after the other. */
export function serveSocket(
  ws: WebSocket,
  version: Version,
  context: SocketContext,
): RealtimeSocket {
  const { channels, limits } = context;
  const members = new Map<string, Member>();
  const allowed = createAllowance(limits.eventsPerSecond);
  /** A flood is answered by a word now and then, not by a flood. */
  const mayComplain = createAllowance(0.5);
  let turn: Promise<void> = Promise.resolve();
  let gone = false;

  function send(data: string | Buffer, binary = false): void {
    if (gone) return;
    if (ws.bufferedAmount <= limits.unreadBytes) ws.send(data, { binary });
    // What waits already still goes out, and then why nothing follows.
    else leave(1013, 'Too much is unread: come back and ask for more', limits.slowGoodbye);
  }

  /** Nothing is sent any more but the reason; a client that does not take it is cut off. */
  function leave(code: number, reason: string, patience: number): void {
    gone = true;
    forgetAll();
    ws.close(code, reason);
    setTimeout(() => ws.terminate(), patience).unref();
  }

  const socket: RealtimeSocket = {
    version,
    members,
    deliver(member, { bytes, isBinary }) {
      if (isExpired(member)) socket.end(member, tokenReason(new TokenError('expired')));
      else send(bytes, isBinary);
    },
    push(member, event, payload) {
      const { topic, joinRef } = member;
      send(writeFrame({ joinRef, ref: null, topic, event, payload }, version));
    },
    end(member, reason) {
      say(member, reason);
      socket.push(member, 'phx_close', {});
      forget(member);
    },
    close(code, reason) {
      if (!gone) leave(code, reason, GOODBYE);
    },
  };

  const silence = setTimeout(
    () => socket.close(1001, 'Silent for too long: a heart beats every 30 seconds'),
    limits.silence,
  );
  silence.unref();

  ws.on('message', (data, isBinary) => {
    if (gone) return;
    silence.refresh();
    if (!allowed()) return socket.close(1008, TOO_MANY.events(limits));
    try {
      const frame = readFrame(data as Buffer, isBinary, version);
      // A heart beats while a join waits for the database.
      if (frame.topic === 'phoenix' && frame.event === 'heartbeat') return reply(frame, 'ok');
      turn = turn.then(() => take(frame));
    } catch (error) {
      if (error instanceof MalformedFrame) return socket.close(1007, error.message);
      context.log(`Realtime: ${(error as Error).stack ?? error}`);
      socket.close(1011, 'Something went wrong on our side: come back');
    }
  });
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    gone = true;
    clearTimeout(silence);
    forgetAll();
  });
  return socket;

  function forgetAll(): void {
    for (const member of [...members.values()]) forget(member);
  }

  function forget(member: Member): void {
    if (members.get(member.topic) === member) members.delete(member.topic);
    channels.leave(member);
  }

  function reply(frame: Frame, status: 'ok' | 'error', response: Record<string, unknown> = {}) {
    const { joinRef, ref, topic } = frame;
    const payload = { status, response };
    send(writeFrame({ joinRef, ref, topic, event: 'phx_reply', payload }, version));
  }

  /** Says what is wrong in a channel, where realtime-js listens for `system`. */
  function say(member: Member, message: string): void {
    const channel = member.topic.slice(PREFIX.length);
    socket.push(member, 'system', { extension: 'system', status: 'error', message, channel });
  }

  /** Who a token shows and what they may; a sentence when they may not join. */
  async function look(frame: Frame, isPrivate: boolean): Promise<(Bearer & Seen) | string> {
    const topic = frame.topic.slice(PREFIX.length);
    try {
      const bearer = await context.bearerOf(textOf(frame.payload.access_token));
      const verdict = await context.ask(bearer.caller, isPrivate ? topic : null);
      if (!verdict.session) throw new TokenError('invalid');
      const { access } = verdict;
      return mayHear(access)
        ? { ...bearer, access, seenAt: performance.now() }
        : unauthorized(topic);
    } catch (error) {
      if (error instanceof TokenError) return tokenReason(error);
      throw error;
    }
  }

  async function take(frame: Frame): Promise<void> {
    if (gone) return;
    try {
      if (!frame.topic.startsWith(PREFIX) || frame.topic === PREFIX) {
        return reply(frame, 'error', { reason: 'unmatched topic' });
      }
      if (frame.event === 'phx_join') return await join(frame);
      const member = members.get(frame.topic);
      if (!member) return reply(frame, 'error', { reason: 'unmatched topic' });
      if (frame.event === 'phx_leave') return part(frame, member);
      if (frame.event === 'access_token') return await renew(frame, member);
      if (frame.event === 'broadcast') return await broadcast(frame, member);
      if (frame.event === 'presence') return await presence(frame, member);
      reply(frame, 'error', { reason: 'unknown event' });
    } catch (error) {
      context.log(`Realtime: ${(error as Error).stack ?? error}`);
      // The client tries to join again by itself.
      reply(frame, 'error', { reason: 'Something went wrong on our side. Try again.' });
    }
  }

  async function join(frame: Frame): Promise<void> {
    const refuse = (reason: string) => reply(frame, 'error', { reason });
    const config = isObject(frame.payload.config) ? frame.payload.config : {};
    const before = members.get(frame.topic);
    if (before) forget(before);
    if (members.size >= limits.joins) return refuse(TOO_MANY.joins(limits));
    if (Array.isArray(config.postgres_changes) && config.postgres_changes.length > 0) {
      return refuse('postgres_changes is not part of this backend: send from the database');
    }
    const isPrivate = config.private === true;
    const found = await look(frame, isPrivate);
    if (typeof found === 'string') return refuse(found);
    if (gone) return;
    const heard = isObject(config.broadcast) ? config.broadcast : {};
    const there = isObject(config.presence) ? config.presence : {};
    const member: Member = {
      socket,
      topic: frame.topic,
      isPrivate,
      joinRef: frame.joinRef,
      ...found,
      ack: heard.ack === true,
      self: heard.self === true,
      presenceKey: textOf(there.key)?.slice(0, 200) || randomUUID(),
      wantsPresence: there.enabled === true,
      mayTell: createAllowance(limits.tellsPerSecond),
    };
    members.set(frame.topic, member);
    reply(frame, 'ok', { postgres_changes: [] });
    channels.join(member);
  }

  function part(frame: Frame, member: Member): void {
    forget(member);
    reply(frame, 'ok');
    socket.push(member, 'phx_close', {});
  }

  /** A new token on a living connection: the channel goes on with what it allows, or ends. */
  async function renew(frame: Frame, member: Member): Promise<void> {
    const found = await look(frame, member.isPrivate);
    if (typeof found === 'string') socket.end(member, found);
    else Object.assign(member, found);
  }

  /** Refuses one message, and says so also to whoever has not asked for an answer. */
  function refuse(frame: Frame, member: Member, reason: string): void {
    reply(frame, 'error', { reason });
    if (mayComplain()) say(member, reason);
  }

  /** What was allowed a while ago is asked again of whoever makes use of it. */
  async function mayWrite(member: Member, what: keyof Access['write']): Promise<boolean> {
    const { caller, topic } = member;
    if (member.isPrivate && performance.now() - member.seenAt > limits.lookAgain) {
      const verdict = await context.ask(caller, topic.slice(PREFIX.length));
      if (!verdict.session) return false;
      Object.assign(member, { access: verdict.access, seenAt: performance.now() });
    }
    return member.access.write[what] && !isExpired(member);
  }

  async function broadcast(frame: Frame, member: Member): Promise<void> {
    const topic = member.topic.slice(PREFIX.length);
    const event = textOf(frame.payload.event);
    if (!event) return reply(frame, 'error', { reason: 'A broadcast needs an event' });
    if (!(await mayWrite(member, 'broadcast'))) {
      return reply(frame, 'error', { reason: 'You do not have permissions to write here' });
    }
    if (!member.mayTell()) return refuse(frame, member, TOO_MANY.tells(limits));
    const said = frame.payload.payload ?? {};
    const message = { event, payload: inOwnName(said, member.caller.sub) };
    channels.send(topic, member.isPrivate, message, member.self ? undefined : member);
    if (member.ack) reply(frame, 'ok');
  }

  function isThereTooOften(member: Member): boolean {
    if (channels.isTracked(member)) return false;
    return [...members.values()].filter(channels.isTracked).length >= limits.presences;
  }

  async function presence(frame: Frame, member: Member): Promise<void> {
    if (!(await mayWrite(member, 'presence'))) {
      return reply(frame, 'error', { reason: 'You do not have permissions to be shown here' });
    }
    const { event } = frame.payload;
    const payload = isObject(frame.payload.payload) ? frame.payload.payload : {};
    if (event !== 'track' && event !== 'untrack') {
      return reply(frame, 'error', { reason: 'Presence is tracked or untracked' });
    }
    if (event === 'untrack') channels.untrack(member);
    else if (!member.mayTell()) return refuse(frame, member, TOO_MANY.tells(limits));
    else if (Buffer.byteLength(JSON.stringify(payload)) > limits.presenceBytes) {
      return refuse(frame, member, TOO_MANY.presence(limits));
    } else if (isThereTooOften(member)) {
      return refuse(frame, member, TOO_MANY.presences(limits));
    } else channels.track(member, inOwnName(payload, member.caller.sub));
    reply(frame, 'ok');
  }
}

/** How long a client has to take a goodbye, in milliseconds. */
const GOODBYE = 1_000;

/** What a limit says to whoever meets it, beginning with Supabase's own names. */
const TOO_MANY = {
  joins: ({ joins }: RealtimeLimits) =>
    `ChannelRateLimitReached: Too many channels, at most ${joins} on one connection`,
  events: ({ eventsPerSecond }: RealtimeLimits) =>
    `MessagePerSecondRateLimitReached: Too many messages, at most ${eventsPerSecond} a second`,
  presences: ({ presences }: RealtimeLimits) =>
    `One connection is there in at most ${presences} channels`,
  presence: ({ presenceBytes }: RealtimeLimits) =>
    `What is said of somebody's presence has at most ${presenceBytes} bytes`,
  tells: ({ tellsPerSecond }: RealtimeLimits) =>
    `MessagePerSecondRateLimitReached: Too many messages in this channel, at most ${tellsPerSecond} a second`,
};

export function unauthorized(topic: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`;
}

export function tokenReason(error: TokenError): string {
  return error.reason === 'expired'
    ? 'InvalidJWTToken: Token has expired'
    : 'InvalidJWTToken: The token is not valid, or its session was ended';
}

export function isExpired(bearer: Bearer): boolean {
  return bearer.expiresAt * 1000 <= Date.now();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
