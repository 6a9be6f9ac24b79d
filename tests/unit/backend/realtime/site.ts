import {
  createClient,
  type RealtimeChannel,
  type RealtimeChannelOptions,
  type SupabaseClient,
} from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { listen, openSite, PASSWORD, type SiteOptions } from '../gateway/site.ts';

/** A table of who may listen to a private channel, and send to it if `may_write` is true. */
const DOORS = `
  create table public.realtime_doors (topic text, user_id uuid, may_write boolean);
  grant select on public.realtime_doors to authenticated;
  create policy "Test doors are open to hear" on realtime.messages for select to authenticated
    using ((select private.session_ok()) and exists (
      select from public.realtime_doors d
      where d.topic = realtime.topic() and d.user_id = (select auth.uid())));
  create policy "Test doors are open to write" on realtime.messages for insert to authenticated
    with check ((select private.session_ok()) and exists (
      select from public.realtime_doors d
      where d.topic = realtime.topic() and d.user_id = (select auth.uid()) and d.may_write));`;

/** A gateway that listens on a port, which WebSockets need. */
export type RealtimeSite = Awaited<ReturnType<typeof openRealtimeSite>>;

export async function openRealtimeSite(options: SiteOptions = {}) {
  const site = await openSite(options);
  let server = await listen(site.gateway);
  const { url, port } = server;
  const clients: SupabaseClient[] = [];

  await site.sql.unsafe(DOORS);

  return {
    ...site,
    url,
    port,
    /** Gives a user access to a private channel. */
    letIn: (topic: string, id: string, mayWrite = true) =>
      site.sql`insert into realtime_doors values (${topic}, ${id}, ${mayWrite})`,
    /** Replaces the server with a new gateway on the same port, as a restart does. */
    async restart() {
      await server.close();
      server = await listen(await site.twin(), port);
    },
    /** An unmodified supabase-js client: signed in as a new user, or a visitor without `email`. */
    async client(email?: string): Promise<{ db: SupabaseClient; id: string }> {
      const db = createClient(url, site.keys.publishableKey, {
        auth: { autoRefreshToken: false, persistSession: false },
        realtime: { heartbeatIntervalMs: 30_000 },
      });
      clients.push(db);
      if (!email) return { db, id: '' };
      const { id } = await site.person(email);
      const { error } = await db.auth.signInWithPassword({ email, password: PASSWORD });
      if (error) throw error;
      return { db, id };
    },
    /** Opens a raw socket, to send what realtime-js never would. */
    bare(query = `apikey=${site.keys.publishableKey}&vsn=2.0.0`, headers = {}) {
      const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?${query}`;
      const socket = new WebSocket(address, { headers });
      const open = new Promise<void>((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
      open.catch(() => {});
      const closed = new Promise<{ code: number; reason: string }>((resolve) =>
        socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
      );
      return { socket, open, closed };
    },
    async close() {
      await Promise.all(clients.map((each) => each.removeAllChannels()));
      await server.close();
      await site.close();
    },
  };
}

/** A channel and everything that happened on it, in order. */
export interface Ear {
  channel: RealtimeChannel;
  states: string[];
  reasons: string[];
  heard: { event: string; payload: unknown }[];
  /** The server's system messages about the channel. */
  told: string[];
}

/** Joins a channel and waits for its first state. */
export async function join(
  db: SupabaseClient,
  topic: string,
  config: RealtimeChannelOptions['config'] = { private: true },
): Promise<Ear> {
  const channel = db.channel(topic, { config });
  const ear: Ear = { channel, states: [], reasons: [], heard: [], told: [] };
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => {
    ear.heard.push({ event, payload });
  });
  channel.on('system', {}, ({ message }: { message: string }) => {
    ear.told.push(message);
  });
  if (config.presence) channel.on('presence', { event: 'sync' }, () => {});
  await new Promise<void>((resolve) => {
    channel.subscribe((state, error) => {
      ear.states.push(state);
      if (error) ear.reasons.push(error.message);
      resolve();
    });
  });
  return ear;
}
