import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { listen } from '../postgres/listen.ts';

/** A message that the database sent by `realtime.send`. */
export interface StoredMessage {
  id: string;
  topic: string;
  event: string;
  payload: unknown;
  private: boolean;
}

/** The name under which the database shows the listening connection. */
export const LISTENER = 'trellis-realtime-listener';

/**
 * Passes on what `realtime.send` has committed, in the order of the commits. It outlives a database
 * that dies or is cut off.
 *
 * @param on.gap messages may have been missed: the connection was lost and is back, or a row couldn't
 *   be read. Clients must look for themselves.
 */
export async function listenToDatabase(
  databaseUrl: string,
  db: Database,
  on: { message(message: StoredMessage): void; gap(): void },
): Promise<{ close(): Promise<void> }> {
  // Nothing overtakes a message whose row is still being read.
  let delivered: Promise<void> = Promise.resolve();
  const listener = await listen(databaseUrl, {
    name: LISTENER,
    channel: 'realtime',
    onNotification(line) {
      delivered = delivered
        .then(async () => {
          const message = await messageOf(db, line);
          if (message) on.message(message);
        })
        .catch(on.gap);
    },
    onReconnect: on.gap,
  });
  return {
    async close() {
      await listener.close();
      await delivered;
    },
  };
}

/** A notification holds the whole message, or the id of one that is too long for it. */
async function messageOf(db: Database, line: string): Promise<StoredMessage | undefined> {
  if (line.startsWith('row:')) return JSON.parse(line.slice(4)) as StoredMessage;
  const rows = await query<Omit<StoredMessage, 'payload'> & { body: string | null }>(db)`
    select id, topic, event, payload::text as body, coalesce(private, false) as private
    from realtime.messages where id = ${line}`;
  return rows[0] && { ...rows[0], payload: JSON.parse(rows[0].body ?? '{}') };
}
