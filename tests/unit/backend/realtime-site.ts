import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  createClient,
  type RealtimeChannel,
  type RealtimeChannelOptions,
  type SupabaseClient,
} from '@supabase/supabase-js';
import type { Gateway } from '#backend/local/gateway/gateway.ts';
import { type GatewaySite, openSite, PASSWORD, type SiteOptions } from './gateway-site.ts';

/** A gateway that listens on a port, because a socket needs one. */
export interface RealtimeSite extends GatewaySite {
  url: string;
  /** Lets another gateway listen on the same port, as after a restart. */
  restart(): Promise<void>;
  /** Somebody signed in, or a visitor, with an unchanged supabase-js. */
  client(email?: string): Promise<{ db: SupabaseClient; id: string }>;
}

export async function openRealtimeSite(options: SiteOptions = {}): Promise<RealtimeSite> {
  const site = await openSite(options);
  let gateway = site.gateway;
  let server = await listen(gateway, 0);
  const { port } = server.address() as AddressInfo;
  const clients: SupabaseClient[] = [];
  const url = `http://127.0.0.1:${port}`;

  // In its own channel a person may do all, in a hall only listen; who is named in `ended` nothing.
  await site.sql.unsafe(`
    create table public.realtime_doors (topic text, user_id uuid, may_write boolean);
    grant select on public.realtime_doors to authenticated;
    create policy "Test deps are open to hear" on realtime.messages for select to authenticated
      using ((select private.session_ok()) and exists (
        select from public.realtime_doors d
        where d.topic = realtime.topic() and d.user_id = (select auth.uid())));
    create policy "Test deps are open to write" on realtime.messages for insert to authenticated
      with check ((select private.session_ok()) and exists (
        select from public.realtime_doors d
        where d.topic = realtime.topic() and d.user_id = (select auth.uid()) and d.may_write));
  `);

  return {
    ...site,
    url,
    async restart() {
      gateway.closeSockets();
      await new Promise((resolve) => server.close(resolve));
      gateway = await site.twin();
      server = await listen(gateway, port);
    },
    async client(email) {
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
    async close() {
      await Promise.all(clients.map((each) => each.removeAllChannels()));
      gateway.closeSockets();
      await new Promise((resolve) => server.close(resolve));
      await site.close();
    },
  };
}

async function listen(gateway: Gateway, port: number): Promise<Server> {
  const server = createServer(
    getRequestListener(
      (request, { incoming }) =>
        gateway.fetch(request, { remoteAddress: incoming.socket.remoteAddress ?? '' }),
      { overrideGlobalObjects: false },
    ),
  );
  server.on('upgrade', gateway.upgrade);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

/** A channel with all that happened in it, in the order in which it did. */
export interface Ear {
  channel: RealtimeChannel;
  states: string[];
  reasons: string[];
  heard: { event: string; payload: unknown }[];
  /** What the server says of the channel itself. */
  told: string[];
}

/** Joins and waits for the first answer. */
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
