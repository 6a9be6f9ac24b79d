import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { TokenError } from '../auth/tokens.ts';
import type { Caller } from '../gateway/lite.ts';
import { type Access, type AccessChecker, mayRead } from './access.ts';
import { type Channels, type Member, PREFIX, withOwnPersonId } from './channels.ts';
import { type Frame, isObject, MalformedFrame, readFrame, writeFrame } from './frames.ts';
import { createRateLimit, type RealtimeLimits } from './limits.ts';

/** Who a token belongs to; `expiresAt` in seconds since 1970. */
export interface Bearer {
  caller: Caller;
  expiresAt: number;
}

interface Admission extends Bearer {
  access: Access;
  seenAt: number;
}

export interface SocketContext {
  channels: Channels;
  limits: RealtimeLimits;
  /** Checks the session and the policies; the topic is null for a public channel. */
  check: AccessChecker['check'];
  /** @throws {TokenError} if the token is forged or has expired. */
  bearerOf(token: string | undefined): Promise<Bearer>;
  log(line: string): void;
}

/** The connection to one client. Its frames are handled one after another. */
export class RealtimeSocket {
  /** The client's channels by topic, which includes `realtime:`. */
  readonly members = new Map<string, Member>();
  readonly #ws: WebSocket;
  readonly #context: SocketContext;
  readonly #mayReceive: () => boolean;
  /** Limits the warnings, so that a flood of messages doesn't cause a flood of warnings. */
  readonly #mayWarn = createRateLimit(0.5);
  readonly #silence: NodeJS.Timeout;
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(ws: WebSocket, context: SocketContext) {
    const { limits } = context;
    this.#ws = ws;
    this.#context = context;
    this.#mayReceive = createRateLimit(limits.eventsPerSecond);
    this.#silence = setTimeout(
      () => this.close(1001, 'No heartbeat: send one every 30 seconds'),
      limits.silence,
    ).unref();
    ws.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    ws.on('error', () => ws.terminate());
    ws.on('close', () => {
      this.#isClosed = true;
      clearTimeout(this.#silence);
      this.#forgetAll();
    });
  }

  /** Sends a frame encoded once for many. Ends the member instead if its token has expired. */
  deliver(member: Member, frame: Buffer): void {
    if (isExpired(member)) this.end(member, tokenReason(new TokenError('expired')));
    else this.#send(frame);
  }

  push(member: Member, event: string, payload: Record<string, unknown>): void {
    const { topic, joinRef } = member;
    this.#send(writeFrame({ joinRef, ref: null, topic, event, payload }));
  }

  /** Ends one channel and tells the client why. */
  end(member: Member, reason: string): void {
    this.#warn(member, reason);
    this.push(member, 'phx_close', {});
    this.#forget(member);
  }

  /** Ends the channels that were joined with a session. */
  endSession(id: string): void {
    for (const member of [...this.members.values()]) {
      if (member.caller.session_id === id) this.end(member, tokenReason(new TokenError('invalid')));
    }
  }

  close(code: number, reason: string): void {
    if (!this.#isClosed) this.#leave(code, reason, CLOSE_TIMEOUT);
  }

  terminate(): void {
    this.#ws.terminate();
  }

  /** Sends only the reason from now on, and cuts off a client that doesn't read it in time. */
  #leave(code: number, reason: string, timeout: number): void {
    this.#isClosed = true;
    this.#forgetAll();
    this.#ws.close(code, reason);
    setTimeout(() => this.#ws.terminate(), timeout).unref();
  }

  #send(data: string | Buffer): void {
    if (this.#isClosed) return;
    const { unreadBytes, slowClose } = this.#context.limits;
    if (this.#ws.bufferedAmount <= unreadBytes) this.#ws.send(data, { binary: false });
    // The client still gets what's already buffered, and then the reason.
    else this.#leave(1013, 'Too many unread messages: reconnect and ask for them', slowClose);
  }

  #forgetAll(): void {
    for (const member of [...this.members.values()]) this.#forget(member);
  }

  #forget(member: Member): void {
    if (this.members.get(member.topic) === member) this.members.delete(member.topic);
    this.#context.channels.leave(member);
  }

  #reply(frame: Frame, status: 'ok' | 'error', response: Record<string, unknown> = {}): void {
    const { joinRef, ref, topic } = frame;
    const payload = { status, response };
    this.#send(writeFrame({ joinRef, ref, topic, event: 'phx_reply', payload }));
  }

  #refuse(frame: Frame, reason: string): void {
    this.#reply(frame, 'error', { reason });
  }

  /** Reports a problem in a channel as a `system` event, which realtime-js listens for. */
  #warn(member: Member, message: string): void {
    const channel = member.topic.slice(PREFIX.length);
    this.push(member, 'system', { extension: 'system', status: 'error', message, channel });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#isClosed) return;
    this.#silence.refresh();
    if (!this.#mayReceive()) {
      this.close(1008, TOO_MANY.events(this.#context.limits));
      return;
    }
    try {
      const frame = readFrame(data, isBinary);
      // Heartbeats get a reply right away, even while a join waits for the database.
      if (frame.topic === 'phoenix' && frame.event === 'heartbeat') this.#reply(frame, 'ok');
      else this.#turn = this.#turn.then(() => this.#handle(frame));
    } catch (error) {
      if (error instanceof MalformedFrame) this.close(1007, error.message);
      else {
        this.#context.log(`Realtime: ${(error as Error).stack ?? error}`);
        this.close(1011, 'Something went wrong on our end: reconnect');
      }
    }
  }

  async #handle(frame: Frame): Promise<void> {
    if (this.#isClosed) return;
    try {
      const isTopic = frame.topic.startsWith(PREFIX) && frame.topic !== PREFIX;
      if (isTopic && frame.event === 'phx_join') return await this.#join(frame);
      const member = isTopic ? this.members.get(frame.topic) : undefined;
      if (!member) return this.#refuse(frame, 'unmatched topic');
      switch (frame.event) {
        case 'phx_leave':
          return this.#part(frame, member);
        case 'access_token':
          return await this.#renew(frame, member);
        case 'broadcast':
          return await this.#broadcast(frame, member);
        case 'presence':
          return await this.#presence(frame, member);
        default:
          return this.#refuse(frame, 'unknown event');
      }
    } catch (error) {
      this.#context.log(`Realtime: ${(error as Error).stack ?? error}`);
      // The client retries joining on its own.
      this.#refuse(frame, 'Something went wrong on our end. Try again.');
    }
  }

  /** Returns who a token belongs to and what they may do, or the reason why they can't join. */
  async #admit(frame: Frame, isPrivate: boolean): Promise<Admission | string> {
    const topic = frame.topic.slice(PREFIX.length);
    try {
      const bearer = await this.#context.bearerOf(textOf(frame.payload.access_token));
      const verdict = await this.#context.check(bearer.caller, isPrivate ? topic : null);
      if (!verdict.session) throw new TokenError('invalid');
      const { access } = verdict;
      return mayRead(access)
        ? { ...bearer, access, seenAt: performance.now() }
        : unauthorized(topic);
    } catch (error) {
      if (error instanceof TokenError) return tokenReason(error);
      throw error;
    }
  }

  async #join(frame: Frame): Promise<void> {
    const { limits, channels } = this.#context;
    const config = isObject(frame.payload.config) ? frame.payload.config : {};
    const before = this.members.get(frame.topic);
    if (before) this.#forget(before);
    if (this.members.size >= limits.joins) return this.#refuse(frame, TOO_MANY.joins(limits));
    if (Array.isArray(config.postgres_changes) && config.postgres_changes.length > 0) {
      const reason = 'postgres_changes isn’t part of this backend: send from the database';
      return this.#refuse(frame, reason);
    }
    const isPrivate = config.private === true;
    const admission = await this.#admit(frame, isPrivate);
    if (typeof admission === 'string') return this.#refuse(frame, admission);
    if (this.#isClosed) return;
    const broadcast = isObject(config.broadcast) ? config.broadcast : {};
    const presence = isObject(config.presence) ? config.presence : {};
    const member: Member = {
      socket: this,
      topic: frame.topic,
      isPrivate,
      joinRef: frame.joinRef,
      ...admission,
      ack: broadcast.ack === true,
      self: broadcast.self === true,
      presenceKey: textOf(presence.key)?.slice(0, 200) || randomUUID(),
      wantsPresence: presence.enabled === true,
      maySend: createRateLimit(limits.sendsPerSecond),
    };
    this.members.set(frame.topic, member);
    this.#reply(frame, 'ok', { postgres_changes: [] });
    channels.join(member);
  }

  #part(frame: Frame, member: Member): void {
    this.#forget(member);
    this.#reply(frame, 'ok');
    this.push(member, 'phx_close', {});
  }

  /** Handles a new token: the channel continues with the access it gives, or ends. */
  async #renew(frame: Frame, member: Member): Promise<void> {
    const admission = await this.#admit(frame, member.isPrivate);
    if (typeof admission === 'string') this.end(member, admission);
    else Object.assign(member, admission);
  }

  /** Rejects what exceeds a limit, with a warning too for clients that don't wait for replies. */
  #refuseExcess(frame: Frame, member: Member, reason: string): void {
    this.#refuse(frame, reason);
    if (this.#mayWarn()) this.#warn(member, reason);
  }

  /** Whether a member may write. Checks again if the last check is too old. */
  async #mayWrite(member: Member, what: keyof Access['write']): Promise<boolean> {
    const { limits, check } = this.#context;
    if (member.isPrivate && performance.now() - member.seenAt > limits.recheck) {
      const verdict = await check(member.caller, member.topic.slice(PREFIX.length));
      if (!verdict.session) return false;
      Object.assign(member, { access: verdict.access, seenAt: performance.now() });
    }
    return member.access.write[what] && !isExpired(member);
  }

  async #broadcast(frame: Frame, member: Member): Promise<void> {
    const { channels, limits } = this.#context;
    const event = textOf(frame.payload.event);
    if (!event) return this.#refuse(frame, 'A broadcast needs an event');
    if (!(await this.#mayWrite(member, 'broadcast'))) {
      return this.#refuse(frame, 'You do not have permissions to write here');
    }
    if (!member.maySend()) return this.#refuseExcess(frame, member, TOO_MANY.sends(limits));
    const payload = withOwnPersonId(frame.payload.payload ?? {}, member.caller.sub);
    const topic = member.topic.slice(PREFIX.length);
    const except = member.self ? undefined : member;
    channels.broadcast(topic, member.isPrivate, { event, payload }, except);
    if (member.ack) this.#reply(frame, 'ok');
  }

  async #presence(frame: Frame, member: Member): Promise<void> {
    const { channels } = this.#context;
    if (!(await this.#mayWrite(member, 'presence'))) {
      return this.#refuse(frame, 'You do not have permissions to be shown here');
    }
    const { event } = frame.payload;
    if (event === 'untrack') channels.untrack(member);
    else if (event === 'track') {
      const payload = isObject(frame.payload.payload) ? frame.payload.payload : {};
      const excess = this.#excessOf(member, payload);
      if (excess) return this.#refuseExcess(frame, member, excess);
      channels.track(member, withOwnPersonId(payload, member.caller.sub));
    } else return this.#refuse(frame, 'Presence has to be track or untrack');
    this.#reply(frame, 'ok');
  }

  /** The error message for the limit that a presence exceeds, if any. */
  #excessOf(member: Member, payload: Record<string, unknown>): string | undefined {
    const { channels, limits } = this.#context;
    if (!member.maySend()) return TOO_MANY.sends(limits);
    if (Buffer.byteLength(JSON.stringify(payload)) > limits.presenceBytes) {
      return TOO_MANY.presence(limits);
    }
    if (channels.isTracked(member)) return undefined;
    const tracked = [...this.members.values()].filter(channels.isTracked).length;
    return tracked >= limits.presences ? TOO_MANY.presences(limits) : undefined;
  }
}

/** How long a client has to read the reason for closing, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;

/** Error messages for exceeded limits. They start with Supabase's name for the error, if any. */
const TOO_MANY = {
  joins: ({ joins }: RealtimeLimits) =>
    `ChannelRateLimitReached: Too many channels, at most ${joins} on one connection`,
  events: ({ eventsPerSecond }: RealtimeLimits) =>
    `MessagePerSecondRateLimitReached: Too many messages, at most ${eventsPerSecond} a second`,
  presences: ({ presences }: RealtimeLimits) =>
    `One connection can be present in at most ${presences} channels`,
  presence: ({ presenceBytes }: RealtimeLimits) =>
    `A presence payload has at most ${presenceBytes} bytes`,
  sends: ({ sendsPerSecond }: RealtimeLimits) =>
    `MessagePerSecondRateLimitReached: Too many messages in this channel, at most ${sendsPerSecond} a second`,
};

export function unauthorized(topic: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`;
}

export function tokenReason(error: TokenError): string {
  return error.reason === 'expired'
    ? 'InvalidJWTToken: Token has expired'
    : 'InvalidJWTToken: The token isn’t valid, or its session has ended';
}

export function isExpired(bearer: Bearer): boolean {
  return bearer.expiresAt * 1000 <= Date.now();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
