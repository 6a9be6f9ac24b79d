// Open connections of the bench in a process of their own: each holds the two channels that a person
// with the site open is in, and its heart beats. It is sent a `Holding`, says `ready` when all have
// joined, and `ended` with the person when the server ended a channel of theirs.
import { WebSocket } from 'ws';
import type { Holding } from './realtime-messages.ts';

const HEARTBEAT_MS = 30_000;

process.once('message', async ({ url, key, people }: Holding) => {
  const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`;

  async function hold({ id, token }: Holding['people'][number], n: number): Promise<void> {
    // As from many places, which Linux has by itself: one network address may not hold all of them.
    const localAddress = `127.1.${n >> 7}.${(n & 127) + 1}`;
    const socket = new WebSocket(address, { localAddress, perMessageDeflate: false });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    const topics = [`person:${id}`, `presence:${id}`];
    await new Promise<void>((resolve, reject) => {
      let joined = 0;
      socket.on('message', (data) => {
        const [, , , event, payload] = JSON.parse(String(data));
        // Whoever started this may have heard enough.
        if (event === 'phx_close' && process.connected) process.send?.({ ended: id }, () => {});
        if (event !== 'phx_reply') return;
        if (payload.status !== 'ok') return reject(new Error(JSON.stringify(payload)));
        joined += 1;
        if (joined === topics.length) resolve();
      });
      for (const [place, topic] of topics.entries()) {
        const payload = { config: { private: true }, access_token: token };
        socket.send(
          JSON.stringify([`${place}`, `${place}`, `realtime:${topic}`, 'phx_join', payload]),
        );
      }
    });
    const beat = () => socket.send('[null,"9","phoenix","heartbeat",{}]');
    // Spread over the time between two, as they are with people.
    setTimeout(() => setInterval(beat, HEARTBEAT_MS), Math.random() * HEARTBEAT_MS);
  }

  // Some at a time, as after a restart.
  for (let from = 0; from < people.length; from += 50) {
    await Promise.all(people.slice(from, from + 50).map((person, n) => hold(person, from + n)));
  }
  process.send?.('ready');
});
process.once('disconnect', () => process.exit(0));
