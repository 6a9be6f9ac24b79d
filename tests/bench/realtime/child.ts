// A child process, started by `children.ts`, that gets its work as a message.
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { WebSocket, WebSocketServer } from 'ws';
import type { TokenHolder } from '../../fixtures/token-holders.ts';
import { now } from '../site.ts';
import type { Said, Work } from './children.ts';

const HEARTBEAT_MS = 30_000;

const say = (said: Said) => void (process.connected && process.send?.(said, () => {}));

process.once('message', async (work: Work) => {
  if (work.kind === 'listen') await listen(work);
  else if (work.kind === 'hold') await hold(work);
  else return echo();
  say({ ready: 0 });
});
process.once('disconnect', () => process.exit(0));

/** Unmodified supabase-js clients in one topic; reports a message's arrivals once all have it. */
async function listen({ url, key, topic, people }: Work & { kind: 'listen' }): Promise<void> {
  const arrived = new Map<string, number[]>();
  const join = async ({ id, token }: TokenHolder) => {
    const db = createClient(url, key, {
      accessToken: async () => token,
      auth: { storageKey: id },
      realtime: { heartbeatIntervalMs: HEARTBEAT_MS },
    });
    await db.realtime.setAuth();
    const channel = db.channel(topic, { config: { private: true } });
    channel.on('broadcast', { event: 'message' }, ({ payload }) => {
      const message: string = payload.message.id;
      const times = [...(arrived.get(message) ?? []), now()];
      arrived.set(message, times);
      if (times.length < people.length) return;
      arrived.delete(message);
      say({ id: message, times });
    });
    await new Promise<void>((resolve, reject) => {
      channel.subscribe((state, error) => {
        if (state === 'SUBSCRIBED') resolve();
        else reject(error ?? new Error(state));
      });
    });
  };
  await Promise.all(people.map(join));
}

/** Connections that join the two channels of a user with the site open, each with a heartbeat. */
async function hold({ url, key, people }: Work & { kind: 'hold' }): Promise<void> {
  const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`;
  const open = async ({ id, token }: TokenHolder, n: number) => {
    // From many loopback addresses (Linux has all of 127/8), as connections per IP are limited.
    const localAddress = `127.1.${n >> 7}.${(n & 127) + 1}`;
    const socket = new WebSocket(address, { localAddress, perMessageDeflate: false });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    const topics = [`person:${id}`, `presence:${id}`];
    const joined = new Promise<void>((resolve, reject) => {
      let answers = 0;
      socket.on('message', (data) => {
        const [, , , event, payload] = JSON.parse(String(data));
        if (event === 'phx_close') say({ ended: id });
        if (event !== 'phx_reply') return;
        if (payload.status !== 'ok') return reject(new Error(JSON.stringify(payload)));
        answers += 1;
        if (answers === topics.length) resolve();
      });
    });
    for (const [place, topic] of topics.entries()) {
      const payload = { config: { private: true }, access_token: token };
      const frame = [`${place}`, `${place}`, `realtime:${topic}`, 'phx_join', payload];
      socket.send(JSON.stringify(frame));
    }
    await joined;
    const beat = () => socket.send('[null,"9","phoenix","heartbeat",{}]');
    // Spread over the heartbeat interval, as with real users.
    setTimeout(() => setInterval(beat, HEARTBEAT_MS), Math.random() * HEARTBEAT_MS);
  };
  // Fifty at a time, as after a restart.
  for (let from = 0; from < people.length; from += 50) {
    await Promise.all(people.slice(from, from + 50).map((person, n) => open(person, from + n)));
  }
}

/** A minimal socket server that echoes messages. */
function echo(): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  server.on('listening', () => say({ ready: (server.address() as AddressInfo).port }));
}
