import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { identify } from '../gateway/caller.ts';
import { isLoopbackName, UNKNOWN_ADDRESS } from '../gateway/client-address.ts';
import type { Caller } from '../gateway/lite.ts';
import type { RealtimeLimits } from './limits.ts';
import type { RealtimeSettings } from './realtime.ts';

interface Opened {
  key: string;
  role: Caller['role'];
}

/** Upgrades HTTP connections to WebSockets and passes them to `serve`, or rejects them. */
export function createUpgrade(
  settings: RealtimeSettings,
  limits: RealtimeLimits,
  log: (line: string) => void,
  serve: (ws: WebSocket, opened: Opened) => void,
) {
  const { keys, tokens, siteUrl, addressOf } = settings;
  const perAddress = new Map<string, number>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });
  let isClosed = false;

  function count(address: string, change: 1 | -1): void {
    const sum = (perAddress.get(address) ?? 0) + change;
    if (sum > 0) perAddress.set(address, sum);
    else perAddress.delete(address);
  }

  async function admit(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(incoming.url ?? '/', siteUrl);
    const request = new Request(url, { headers: plainHeaders(incoming) });
    if (!/^\/realtime\/v1\/websocket\/?$/.test(url.pathname)) return refuse(socket, 404);
    if (isClosed) return refuse(socket, 503);
    if (!isOurPage(incoming, siteUrl)) return refuse(socket, 403);
    if (url.searchParams.get('vsn') !== '2.0.0') return refuse(socket, 400);
    const identity = await identify(request, url, keys, tokens);
    if (identity.kind !== 'known') return refuse(socket, 401);
    const address = addressOf(request, incoming.socket.remoteAddress ?? '');
    const isLimited = address !== UNKNOWN_ADDRESS;
    if (isLimited && (perAddress.get(address) ?? 0) >= limits.socketsPerAddress) {
      return refuse(socket, 429);
    }
    const key = url.searchParams.get('apikey') ?? request.headers.get('apikey') ?? '';
    server.handleUpgrade(incoming, socket, head, (ws) => {
      count(address, 1);
      ws.on('close', () => count(address, -1));
      serve(ws, { key, role: key === keys.secretKey ? 'service_role' : 'anon' });
    });
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on('error', () => socket.destroy());
      admit(request, socket, head).catch((error: unknown) => {
        log(`Realtime: ${(error as Error).stack ?? error}`);
        refuse(socket, 500);
      });
    },
    close(): void {
      isClosed = true;
      server.close();
    },
  };
}

/**
 * False for another site's page; clients other than browsers send no origin and pass. An origin
 * that equals the Host header counts as ours only if nobody else can own it (loopback or an IP
 * address), because anyone can make a name of theirs resolve to this machine.
 */
function isOurPage({ headers }: IncomingMessage, siteUrl: string): boolean {
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  if (origin === null) return false;
  if (origin.origin === new URL(siteUrl).origin) return true;
  const isNobodys =
    isLoopbackName(origin.hostname) || isIP(origin.hostname.replace(/^\[|\]$/g, '')) > 0;
  return isNobodys && origin.host === headers.host;
}

/** Copies the only headers we read: the key, the user agent and the addresses proxies add. */
function plainHeaders({ headers }: IncomingMessage): Headers {
  const plain = new Headers();
  for (const name of ['apikey', 'user-agent', 'x-forwarded-for']) {
    const value = headers[name];
    if (typeof value === 'string') plain.set(name, value);
  }
  return plain;
}

const REFUSALS: Record<number, [status: string, sentence: string]> = {
  400: ['Bad Request', 'Only version 2.0.0 of the protocol is supported (vsn)'],
  401: ['Unauthorized', 'The address needs an apikey of this site'],
  403: ['Forbidden', 'Only from our own pages'],
  404: ['Not Found', 'Not found'],
  429: ['Too Many Requests', 'Too many connections from one network address'],
  500: ['Internal Server Error', 'Something went wrong on our end. Try again.'],
  503: ['Service Unavailable', 'The service is restarting. Reconnect.'],
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
