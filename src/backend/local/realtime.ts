import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Sql } from 'postgres';
import { type WebSocket, WebSocketServer } from 'ws';
import { clientAddress } from './client-address.ts';
import { type Asker, askerOf } from './gateway-caller.ts';
import type { Keys } from './keys.ts';
import type { Caller } from './lite.ts';
import { accessTo } from './realtime-access.ts';
import { createChannels, type Member, PREFIX } from './realtime-channels.ts';
import { listenToDatabase } from './realtime-database.ts';
import type { Version } from './realtime-frames.ts';
import { LIMITS, type RealtimeLimits } from './realtime-limits.ts';
import { createSenders } from './realtime-rest.ts';
import {
  type Bearer,
  isExpired,
  type RealtimeSocket,
  serveSocket,
  tokenReason,
  unauthorized,
} from './realtime-socket.ts';
import { TokenError, type Tokens } from './tokens.ts';

export interface RealtimeSettings {
  databaseUrl: string;
  /** For questions about sessions and policies. */
  sql: Sql;
  keys: Keys;
  tokens: Tokens;
  /** Origin of the site, whose pages may open sockets. */
  siteUrl: string;
  limits?: Partial<RealtimeLimits> | undefined;
  log: (line: string) => void;
}

export interface Realtime {
  /** Takes over a connection to /realtime/v1/websocket, or refuses it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Answers /realtime/v1/api/broadcast, by which a message is sent without a socket. */
  fetch(path: string, request: Request, asker: Asker & { kind: 'known' }): Promise<Response>;
  /** Says goodbye to every socket, with 1012: come back. Nobody is let in any more. */
  closeSockets(): void;
  close(): Promise<void>;
}

/**
 * Realtime as realtime-js knows it: sockets, channels, presence, and what the database sends.
 * `postgres_changes` is left out on purpose.
 */
export async function createRealtime(settings: RealtimeSettings): Promise<Realtime> {
  const { sql, keys, tokens, siteUrl, log } = settings;
  const limits = { ...LIMITS, ...settings.limits };
  const channels = createChannels((message) => listener.passOn(message));
  const sockets = new Set<RealtimeSocket>();
  const perAddress = new Map<string, number>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });
  let closing = false;

  const goodbye = (reason: string) => {
    for (const socket of [...sockets]) socket.close(1012, reason);
  };
  const listener = await listenToDatabase(
    settings.databaseUrl,
    sql,
    ({ id, topic, event, payload, private: isPrivate }) =>
      channels.broadcast(topic, isPrivate, { id, event, payload }),
    // What was sent meanwhile is lost to sockets: whoever comes back fills the gap by numbers.
    () => goodbye('Messages may have been missed'),
    ({ topic, isPrivate, ...message }) => channels.broadcast(topic, isPrivate, message),
  );

  async function hasSession(caller: Caller): Promise<boolean> {
    if (typeof caller.session_id !== 'string') return true;
    const rows = await sql`
      select from auth.sessions where id = ${caller.session_id} and user_id = ${caller.sub ?? ''}
    `;
    return rows.length === 1;
  }

  /** Whoever holds this token; without one, or with the key in its place, whoever has the key. */
  function bearerWith(key: string, role: Caller['role']) {
    return async (token: string | undefined): Promise<Bearer> => {
      if (!token || token === key) return { caller: { role }, expiresAt: Number.POSITIVE_INFINITY };
      const claims = await tokens.verify(token);
      const caller: Caller = { ...claims };
      if (!(await hasSession(caller))) throw new TokenError('invalid');
      return { caller, expiresAt: claims.exp };
    };
  }

  /** How often in a row a channel could not be looked at. */
  const unsure = new WeakMap<Member, number>();

  function whyUnsure(member: Member, topic: string): string | null {
    const times = (unsure.get(member) ?? 0) + 1;
    unsure.set(member, times);
    return times >= limits.unsure ? unauthorized(topic) : null;
  }

  async function lookAgain(): Promise<void> {
    for (const socket of [...sockets]) {
      for (const member of [...socket.members.values()]) {
        const topic = member.topic.slice(PREFIX.length);
        const { caller } = member;
        const reason = await whyEnded(member, topic).then(
          (found) => {
            unsure.delete(member);
            return found;
          },
          // Away or failing, the database is asked again next round; the others are not kept waiting.
          () => whyUnsure(member, topic),
        );
        // It may have shown another token, or left, while the database was asked.
        const same = socket.members.get(member.topic) === member && member.caller === caller;
        if (reason && same) socket.end(member, reason);
      }
    }
  }

  async function whyEnded(member: Member, topic: string): Promise<string | null> {
    if (isExpired(member)) return tokenReason(new TokenError('expired'));
    const { caller } = member;
    if (!(await hasSession(caller))) return tokenReason(new TokenError('invalid'));
    if (!member.isPrivate) return null;
    const access = await accessTo(sql, caller, topic);
    if (!access.read.broadcast && !access.read.presence) return unauthorized(topic);
    if (member.caller === caller) member.access = access;
    return null;
  }

  let timer: NodeJS.Timeout;
  function lookAgainIn(milliseconds: number): void {
    timer = setTimeout(async () => {
      const startedAt = performance.now();
      await lookAgain();
      // Many sockets take longer; looking after them never takes more than a third of the time.
      const took = performance.now() - startedAt;
      if (!closing) lookAgainIn(Math.max(limits.lookAgain - took, took * 2));
    }, milliseconds);
    timer.unref();
  }
  lookAgainIn(limits.lookAgain);

  function welcome(
    ws: WebSocket,
    version: Version,
    address: string,
    key: string,
    role: Caller['role'],
  ) {
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    const bearerOf = bearerWith(key, role);
    const access = (caller: Caller, topic: string) => accessTo(sql, caller, topic);
    const socket = serveSocket(ws, version, { channels, limits, access, bearerOf, log });
    sockets.add(socket);
    ws.on('close', () => {
      sockets.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  }

  async function admit(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(incoming.url ?? '/', siteUrl);
    const request = new Request(url, { headers: plainHeaders(incoming) });
    const version = url.searchParams.get('vsn') ?? '1.0.0';
    if (!/^\/realtime\/v1\/websocket\/?$/.test(url.pathname)) return refuse(socket, 404);
    if (closing) return refuse(socket, 503);
    if (!isOurs(incoming, siteUrl)) return refuse(socket, 403);
    if (version !== '1.0.0' && version !== '2.0.0') return refuse(socket, 400);
    const asker = await askerOf(request, url, keys, tokens);
    if (asker.kind !== 'known') return refuse(socket, 401);
    const address = clientAddress(request, incoming.socket.remoteAddress ?? '');
    if ((perAddress.get(address) ?? 0) >= limits.socketsPerAddress) return refuse(socket, 429);
    const key = url.searchParams.get('apikey') ?? request.headers.get('apikey') ?? '';
    const role = key === keys.secretKey ? 'service_role' : 'anon';
    server.handleUpgrade(incoming, socket, head, (ws) => welcome(ws, version, address, key, role));
  }

  function closeSockets(): void {
    closing = true;
    clearTimeout(timer);
    goodbye('Service restart');
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      admit(request, socket, head).catch((error: unknown) => {
        log(`Realtime: ${(error as Error).stack ?? error}`);
        refuse(socket, 500);
      });
    },
    fetch: createSenders({ sql, channels, hasSession }),
    closeSockets,
    async close() {
      closeSockets();
      await listener.close();
      for (const ws of server.clients) ws.terminate();
      server.close();
    },
  };
}

/** A page of another site opens no socket here; whoever is no page sends no origin. */
function isOurs({ headers }: IncomingMessage, siteUrl: string): boolean {
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  return (
    origin !== null && (origin.origin === new URL(siteUrl).origin || origin.host === headers.host)
  );
}

/** Key, client and proxy are all that is read of them. */
function plainHeaders({ headers }: IncomingMessage): Headers {
  const plain = new Headers();
  for (const name of ['apikey', 'user-agent', 'x-forwarded-for']) {
    const value = headers[name];
    if (typeof value === 'string') plain.set(name, value);
  }
  return plain;
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function refuse(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
