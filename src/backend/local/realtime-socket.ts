import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Caller } from './lite.ts';
import { type Access, EVERYTHING } from './realtime-access.ts';
import { type Channels, type Member, PREFIX } from './realtime-channels.ts';
import {
  type Frame,
  isObject,
  MalformedFrame,
  readFrame,
  type Version,
  writeFrame,
} from './realtime-frames.ts';
import { createAllowance, type RealtimeLimits } from './realtime-limits.ts';
import { TokenError } from './tokens.ts';

/** Someone as their token shows them; `expiresAt` in seconds since 1970. */
export interface Bearer {
  caller: Caller;
  expiresAt: number;
}

export interface SocketContext {
  channels: Channels;
  limits: RealtimeLimits;
  /** What the policies say about a private topic. */
  access(caller: Caller, topic: string): Promise<Access>;
  /** @throws {TokenError} for a token that is forged, expired, or of a session that was ended. */
  bearerOf(token: string | undefined): Promise<Bearer>;
  log(line: string): void;
}

export interface RealtimeSocket {
  version: Version;
  /** Its channels by topic, `realtime:` included. */
  members: ReadonlyMap<string, Member>;
  /** Sends bytes as they are; a reader too slow for them is cut off. */
  send(frame: string | Buffer): void;
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
  let turn: Promise<void> = Promise.resolve();
  let gone = false;

  const socket: RealtimeSocket = {
    version,
    members,
    send(frame) {
      if (gone) return;
      if (ws.bufferedAmount > limits.unreadBytes) ws.terminate();
      else ws.send(frame);
    },
    push(member, event, payload) {
      const { topic, joinRef } = member;
      socket.send(writeFrame({ joinRef, ref: null, topic, event, payload }, version));
    },
    end(member, message) {
      const channel = member.topic.slice(PREFIX.length);
      socket.push(member, 'system', { extension: 'system', status: 'error', message, channel });
      socket.push(member, 'phx_close', {});
      forget(member);
    },
    close(code, reason) {
      ws.close(code, reason);
      setTimeout(() => ws.terminate(), 1_000).unref();
    },
  };

  let silence: NodeJS.Timeout;
  const alive = () => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.close(1001, 'Silent for too long'), limits.silence);
    silence.unref();
  };
  alive();

  ws.on('message', (data, isBinary) => {
    alive();
    if (!allowed()) return socket.close(1008, 'Too many messages');
    try {
      const frame = readFrame(data as Buffer, isBinary, version);
      // A heart beats while a join waits for the database.
      if (frame.topic === 'phoenix' && frame.event === 'heartbeat') return reply(frame, 'ok');
      turn = turn.then(() => take(frame));
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      socket.close(1007, error.message);
    }
  });
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    gone = true;
    clearTimeout(silence);
    for (const member of [...members.values()]) forget(member);
  });
  return socket;

  function forget(member: Member): void {
    if (members.get(member.topic) === member) members.delete(member.topic);
    channels.leave(member);
  }

  function reply(frame: Frame, status: 'ok' | 'error', response: Record<string, unknown> = {}) {
    const { joinRef, ref, topic } = frame;
    const payload = { status, response };
    socket.send(writeFrame({ joinRef, ref, topic, event: 'phx_reply', payload }, version));
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
      if (frame.event === 'phx_leave') return leave(frame, member);
      if (frame.event === 'access_token') return await renew(frame, member);
      if (frame.event === 'broadcast') return broadcast(frame, member);
      if (frame.event === 'presence') return presence(frame, member);
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
    if (members.size >= limits.joins) return refuse('ChannelRateLimitReached: Too many channels');
    if (Array.isArray(config.postgres_changes) && config.postgres_changes.length > 0) {
      return refuse('postgres_changes is not part of this backend: send from the database');
    }
    const isPrivate = config.private === true;
    const topic = frame.topic.slice(PREFIX.length);
    let bearer: Bearer;
    try {
      bearer = await context.bearerOf(textOf(frame.payload.access_token));
    } catch (error) {
      if (error instanceof TokenError) return refuse(tokenReason(error));
      throw error;
    }
    const access = isPrivate ? await context.access(bearer.caller, topic) : EVERYTHING;
    if (!access.read.broadcast && !access.read.presence) return refuse(unauthorized(topic));
    if (gone) return;
    const heard = isObject(config.broadcast) ? config.broadcast : {};
    const there = isObject(config.presence) ? config.presence : {};
    const member: Member = {
      socket,
      topic: frame.topic,
      isPrivate,
      joinRef: frame.joinRef,
      ...bearer,
      access,
      ack: heard.ack === true,
      self: heard.self === true,
      presenceKey: textOf(there.key)?.slice(0, 200) || randomUUID(),
      wantsPresence: there.enabled === true,
    };
    members.set(frame.topic, member);
    reply(frame, 'ok', { postgres_changes: [] });
    channels.join(member);
  }

  function leave(frame: Frame, member: Member): void {
    forget(member);
    reply(frame, 'ok');
    socket.push(member, 'phx_close', {});
  }

  /** A new token on a living connection: the channel goes on with what it allows, or ends. */
  async function renew(frame: Frame, member: Member): Promise<void> {
    const topic = member.topic.slice(PREFIX.length);
    try {
      const bearer = await context.bearerOf(textOf(frame.payload.access_token));
      const access = member.isPrivate ? await context.access(bearer.caller, topic) : EVERYTHING;
      if (!access.read.broadcast && !access.read.presence) {
        return socket.end(member, unauthorized(topic));
      }
      Object.assign(member, { ...bearer, access });
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      socket.end(member, tokenReason(error));
    }
  }

  function broadcast(frame: Frame, member: Member) {
    const topic = member.topic.slice(PREFIX.length);
    const event = textOf(frame.payload.event);
    if (!event) return reply(frame, 'error', { reason: 'A broadcast needs an event' });
    if (!member.access.write.broadcast || isExpired(member)) {
      return reply(frame, 'error', { reason: 'You do not have permissions to write here' });
    }
    const message = { event, payload: frame.payload.payload ?? {} };
    channels.send(topic, member.isPrivate, message, member.self ? undefined : member);
    if (member.ack) reply(frame, 'ok');
  }

  function presence(frame: Frame, member: Member) {
    if (!member.access.write.presence || isExpired(member)) {
      return reply(frame, 'error', { reason: 'You do not have permissions to be shown here' });
    }
    const { event, payload } = frame.payload;
    if (event === 'track') channels.track(member, isObject(payload) ? payload : {});
    else if (event === 'untrack') channels.untrack(member);
    else return reply(frame, 'error', { reason: 'Presence is tracked or untracked' });
    reply(frame, 'ok');
  }
}

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
