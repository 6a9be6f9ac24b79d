// Listeners of the bench in a process of their own, so that they do not share the server's thread:
// unchanged supabase-js clients, each in its own channel of one topic. Started with `fork`; it is sent
// a `Listening`, says `ready` when all have joined, and then when each message arrived.
import { createClient } from '@supabase/supabase-js';
import type { Arrivals, Listening } from './realtime-messages.ts';
import { now } from './realtime-messages.ts';

process.once('message', async ({ url, key, topic, tokens }: Listening) => {
  /** Arrivals of one message by its id, until the last one's. */
  const arrived = new Map<string, number[]>();

  await Promise.all(
    tokens.map(async (token, n) => {
      const db = createClient(url, key, {
        accessToken: async () => token,
        auth: { storageKey: `listener-${n}` },
        realtime: { heartbeatIntervalMs: 30_000 },
      });
      await db.realtime.setAuth();
      const channel = db.channel(topic, { config: { private: true } });
      channel.on('broadcast', { event: 'message' }, ({ payload }) => {
        const at = now();
        const id: string = payload.message.id;
        const times = arrived.get(id) ?? [];
        times.push(at);
        arrived.set(id, times);
        if (times.length < tokens.length) return;
        arrived.delete(id);
        process.send?.({ id, times } satisfies Arrivals);
      });
      await new Promise<void>((resolve, reject) => {
        channel.subscribe((state, error) => {
          if (state === 'SUBSCRIBED') resolve();
          else reject(error ?? new Error(state));
        });
      });
    }),
  );
  process.send?.('ready');
});
process.once('disconnect', () => process.exit(0));
