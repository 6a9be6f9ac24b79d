import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Caller } from '../gateway/lite.ts';
import type { Keys } from '../keys.ts';
import { createAccessChecker } from './access.ts';
import { createChannels } from './channels.ts';
import { listenToDatabase } from './database.ts';
import { createRateLimit, LIMITS, type RealtimeLimits } from './limits.ts';
import { type Bearer, RealtimeSocket } from './socket.ts';
import { startSweep } from './sweep.ts';
import { createUpgrade } from './upgrade.ts';

export interface RealtimeSettings {
  databaseUrl: string;
  /** For questions about sessions and policies. */
  db: Database;
  keys: Keys;
  tokens: Tokens;
  /** Origin of the site, whose pages may open sockets. */
  siteUrl: string;
  /** The client's address, by the request and the other end of its socket. */
  addressOf: (request: Request, remoteAddress: string) => string;
  limits?: Partial<RealtimeLimits> | undefined;
  log: (line: string) => void;
}

export interface Realtime {
  /** Takes over a connection to /realtime/v1/websocket, or refuses it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket with 1012, which means: connect again. No more are let in. */
  closeSockets(): void;
  close(): Promise<void>;
}

/**
 * Realtime as this product uses it through realtime-js: sockets, channels, presence, and what the
 * database sends. `postgres_changes`, payloads of bytes and sending by request are left out on purpose.
 */
export async function createRealtime(settings: RealtimeSettings): Promise<Realtime> {
  const { db, tokens, log } = settings;
  const limits = { ...LIMITS, ...settings.limits };
  const channels = createChannels();
  const checker = createAccessChecker(db);
  const sockets = new Set<RealtimeSocket>();
  const closeAll = (reason: string) => {
    for (const socket of [...sockets]) socket.close(1012, reason);
  };

  const listener = await listenToDatabase(settings.databaseUrl, db, {
    message: ({ id, topic, event, payload, private: isPrivate }) =>
      channels.broadcast(topic, isPrivate, { id, event, payload }),
    // Clients that come back fill the gap by the numbers of messages.
    gap: () => closeAll('Messages may have been missed: come back and ask for them'),
  });
  const sweep = startSweep({
    db,
    checker,
    sockets,
    channels,
    limits,
    lost: () => closeAll('The database is away, so nobody knows who may read what: come back'),
  });

  // While the database is away every client that tries again fails: one line a second is enough.
  const mayLog = createRateLimit(1);
  const logFailure = (line: string) => mayLog() && log(line);

  const { upgrade, close } = createUpgrade(settings, limits, logFailure, (ws, { key, role }) => {
    const socket = new RealtimeSocket(ws, {
      channels,
      limits,
      check: checker.check,
      bearerOf: (token) => bearerOf(tokens, token, key, role),
      log: logFailure,
    });
    sockets.add(socket);
    ws.on('close', () => sockets.delete(socket));
  });

  function closeSockets(): void {
    sweep.stop();
    close();
    closeAll('Service restart');
  }
  return {
    upgrade,
    closeSockets,
    async close() {
      closeSockets();
      await listener.close();
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** The owner of a token; without one, or with the key in its place, the owner of the key. */
async function bearerOf(
  tokens: Tokens,
  token: string | undefined,
  key: string,
  role: Caller['role'],
): Promise<Bearer> {
  if (!token || token === key) return { caller: { role }, expiresAt: Number.POSITIVE_INFINITY };
  const claims = await tokens.verify(token);
  return { caller: { ...claims }, expiresAt: claims.exp };
}
