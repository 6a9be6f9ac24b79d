import * as v from 'valibot';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Caller } from '../gateway/lite.ts';
import type { Keys } from '../keys.ts';
import { listen } from '../postgres/listen.ts';
import { createAccessChecker } from './access.ts';
import { type Channels, createChannels } from './channels.ts';
import { createRateLimit, LIMITS, type RealtimeLimits } from './limits.ts';
import { type Bearer, RealtimeSocket } from './socket.ts';
import { startSweep } from './sweep.ts';
import { createUpgrade } from './upgrade.ts';

export const LISTENER = 'trellis-realtime-listener';

/** A message that the database sent with `realtime.send`. */
const messageSchema = v.object({
  id: v.string(),
  topic: v.string(),
  event: v.string(),
  payload: v.unknown(),
  private: v.boolean(),
});
type Message = v.InferOutput<typeof messageSchema>;
const messagesSchema = v.array(messageSchema);

/** How notifications begin: with messages, with their IDs, and with a session that ended. */
const ROWS = 'rows:';
const IDS = 'ids:';
const UUID_LENGTH = 36;
const ENDED = 'ended:';

export interface RealtimeSettings {
  databaseUrl: string;
  db: Database;
  keys: Keys;
  tokens: Tokens;
  siteUrl: string;
  addressOf: (request: Request, remoteAddress: string) => string;
  limits?: Partial<RealtimeLimits> | undefined;
  log: (line: string) => void;
}

/**
 * The part of Realtime that this product uses through realtime-js: no `postgres_changes`, and no
 * binary payloads.
 */
export async function createRealtime(settings: RealtimeSettings) {
  const { db, tokens, log } = settings;
  const limits = { ...LIMITS, ...settings.limits };
  const channels = createChannels();
  const checker = createAccessChecker(db);
  const sockets = new Set<RealtimeSocket>();
  const closeAll = (reason: string) => {
    for (const socket of [...sockets]) socket.close(1012, reason);
  };

  // Clients that reconnect fetch what they missed, by the sequence numbers of the messages.
  const gap = () => closeAll('Messages may have been missed: reconnect and ask for them');
  const endSession = (id: string) => {
    for (const socket of sockets) socket.endSession(id);
  };
  const listener = await passOnMessages(settings, channels, endSession, gap);
  const sweep = startSweep({
    db,
    checker,
    sockets,
    channels,
    limits,
    lost: () => closeAll('The database is unavailable, so access can’t be checked: reconnect'),
  });

  // While the database is unreachable, every client's retry fails: one line a second is enough.
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
    /** Takes over a connection to /realtime/v1/websocket, or rejects it. */
    upgrade,
    /** Closes every socket with 1012, which tells clients to reconnect, and accepts no new ones. */
    closeSockets,
    async close() {
      closeSockets();
      await listener.close();
      for (const socket of sockets) socket.terminate();
    },
  };
}

/**
 * Broadcasts the messages that were committed, and passes on which sessions ended, in that order;
 * calls `gap` if any may be lost.
 */
async function passOnMessages(
  { databaseUrl, db }: RealtimeSettings,
  channels: Channels,
  endSession: (id: string) => void,
  gap: () => void,
) {
  // A queue, so that no message overtakes one whose row is still being read.
  let delivered: Promise<void> = Promise.resolve();
  const listener = await listen(databaseUrl, {
    name: LISTENER,
    channel: 'realtime',
    onNotification(line) {
      delivered = delivered
        .then(async () => {
          if (line.startsWith(ENDED)) return endSession(line.slice(ENDED.length));
          for (const message of await readMessages(db, channels, line)) {
            channels.broadcast(message.topic, message.private, message);
          }
        })
        .catch(gap);
    },
    onReconnect: gap,
  });
  return {
    async close() {
      await listener.close();
      await delivered;
    },
  };
}

/** The caller that a token identifies; without one, or with the key instead, the key's role. */
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

/**
 * The messages of one statement that someone listens to. A notification contains them, or the IDs
 * and topics of more than fit into it.
 */
async function readMessages(db: Database, channels: Channels, line: string): Promise<Message[]> {
  if (line.startsWith(ROWS)) return v.parse(messagesSchema, JSON.parse(line.slice(ROWS.length)));
  const told = line.slice(IDS.length).split('\n');
  const heard = told.filter((each) => channels.isOpen(each.slice(UUID_LENGTH + 1)));
  const ids = heard.map((each) => each.slice(0, UUID_LENGTH));
  if (ids.length === 0) return [];
  return query<Message>(db)`
    select m.id, m.topic, m.event, coalesce(m.payload, '{}') as payload,
      coalesce(m.private, false) as private
    from unnest(${ids}::uuid[]) with ordinality as told (id, place)
    join realtime.messages m using (id) order by told.place`;
}
