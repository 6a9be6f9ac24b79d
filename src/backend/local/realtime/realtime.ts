import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import type { Tokens } from '../auth/tokens.ts';
import { type Asker, askerOf } from '../gateway/caller.ts';
import { UNKNOWN_ADDRESS } from '../gateway/client-address.ts';
import type { Caller } from '../gateway/lite.ts';
import { isLoopbackName } from '../gateway/loopback.ts';
import type { Keys } from '../keys.ts';
import { createDoorman } from './access.ts';
import { createChannels } from './channels.ts';
import { type DatabaseListener, listenToDatabase } from './database.ts';
import type { Version } from './frames.ts';
import { createAllowance, LIMITS, type RealtimeLimits } from './limits.ts';
import { createSenders } from './rest.ts';
import { type Bearer, type RealtimeSocket, serveSocket } from './socket.ts';
import { startSweep } from './sweep.ts';

export interface RealtimeSettings {
  databaseUrl: string;
  /** For questions about sessions and policies. */
  db: Database;
  keys: Keys;
  tokens: Tokens;
  /** Origin of the site, whose pages may open sockets. */
  siteUrl: string;
  /** Who is asking, by the request and the other end of its socket. */
  addressOf: (request: Request, remoteAddress: string) => string;
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
  const { db, keys, tokens, siteUrl, addressOf, log } = settings;
  const limits = { ...LIMITS, ...settings.limits };
  const channels = createChannels((message) => listener?.passOn(message));
  const doorman = createDoorman(db);
  const sockets = new Set<RealtimeSocket>();
  const perAddress = new Map<string, number>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });
  let closing = false;

  // While the database is away each client that tries again fails: the log need not have them all.
  const mayComplain = createAllowance(1);
  const complain = (line: string) => mayComplain() && log(line);

  const goodbye = (reason: string) => {
    for (const socket of [...sockets]) socket.close(1012, reason);
  };
  let listener: DatabaseListener | undefined;
  listener = await listenToDatabase(settings.databaseUrl, db, {
    heard: ({ id, topic, event, payload, private: isPrivate }) =>
      channels.broadcast(topic, isPrivate, { id, event, payload }),
    // What was sent meanwhile is lost to sockets: whoever comes back fills the gap by numbers.
    gap() {
      goodbye('Messages may have been missed: come back and ask for them');
      channels.tellEveryone();
    },
    passedOn: channels.take,
    met: channels.tellEveryone,
    lost: channels.lose,
  });
  const sweep = startSweep({
    db,
    doorman,
    sockets,
    channels,
    limits,
    lost: () => goodbye('The database is away, so nobody knows who may hear what: come back'),
  });

  /** Whoever holds this token; without one, or with the key in its place, whoever has the key. */
  function bearerWith(key: string, role: Caller['role']) {
    return async (token: string | undefined): Promise<Bearer> => {
      if (!token || token === key) return { caller: { role }, expiresAt: Number.POSITIVE_INFINITY };
      const claims = await tokens.verify(token);
      return { caller: { ...claims }, expiresAt: claims.exp };
    };
  }

  function welcome(
    ws: WebSocket,
    version: Version,
    address: string,
    key: string,
    role: Caller['role'],
  ) {
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    const bearerOf = bearerWith(key, role);
    const { ask } = doorman;
    const socket = serveSocket(ws, version, { channels, limits, ask, bearerOf, log: complain });
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
    const address = addressOf(request, incoming.socket.remoteAddress ?? '');
    const limited = address !== UNKNOWN_ADDRESS;
    if (limited && (perAddress.get(address) ?? 0) >= limits.socketsPerAddress) {
      return refuse(socket, 429);
    }
    const key = url.searchParams.get('apikey') ?? request.headers.get('apikey') ?? '';
    const role = key === keys.secretKey ? 'service_role' : 'anon';
    server.handleUpgrade(incoming, socket, head, (ws) => welcome(ws, version, address, key, role));
  }

  function closeSockets(): void {
    closing = true;
    sweep.stop();
    goodbye('Service restart');
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      admit(request, socket, head).catch((error: unknown) => {
        complain(`Realtime: ${(error as Error).stack ?? error}`);
        refuse(socket, 500);
      });
    },
    fetch: createSenders({ channels, limits, ask: doorman.ask }),
    closeSockets,
    async close() {
      closeSockets();
      await listener?.close();
      for (const ws of server.clients) ws.terminate();
      server.close();
    },
  };
}

/**
 * A page of another site opens no socket here; whoever is no page sends no origin. A page that calls
 * itself by the name under which it was reached is ours only where nobody else can own that name: a
 * name of another site may lead to this machine too.
 */
function isOurs({ headers }: IncomingMessage, siteUrl: string): boolean {
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  if (origin === null) return false;
  if (origin.origin === new URL(siteUrl).origin) return true;
  const isNobodys =
    isLoopbackName(origin.hostname) || isIP(origin.hostname.replace(/^\[|\]$/g, '')) > 0;
  return isNobodys && origin.host === headers.host;
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

const REFUSALS: Record<number, [status: string, sentence: string]> = {
  400: ['Bad Request', 'This version of the protocol is not spoken here: vsn is 1.0.0 or 2.0.0'],
  401: ['Unauthorized', 'The address needs an apikey of this site'],
  403: ['Forbidden', 'Only from our own pages'],
  404: ['Not Found', 'Not found'],
  429: ['Too Many Requests', 'Too many connections from one network address'],
  500: ['Internal Server Error', 'Something went wrong on our side. Try again.'],
  503: ['Service Unavailable', 'The service starts anew. Come back.'],
};

function refuse(socket: Duplex, status: number): void {
  const [name, sentence] = REFUSALS[status] ?? ['Refused', 'Refused'];
  const head = [
    'Connection: close',
    'Content-Type: text/plain',
    `Content-Length: ${sentence.length}`,
  ];
  socket.end(`HTTP/1.1 ${status} ${name}\r\n${head.join('\r\n')}\r\n\r\n${sentence}`);
}
