/** Child processes of the benchmark, so that listeners don't share the server's thread. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TokenHolder } from '../../fixtures/token-holders.ts';

/** What a child does: listens to one topic, holds people's connections, or echoes. */
export type Work = { url: string; key: string } & (
  | { kind: 'listen'; topic: string; people: TokenHolder[] }
  | { kind: 'hold'; people: TokenHolder[] }
  | { kind: 'echo' }
);

/**
 * What a child reports: that all have joined, when a message arrived at each listener, or whose
 * channel the server closed.
 */
export type Said = { ready: number } | { id: string; times: number[] } | { ended: string };

/** Starts a child and waits until it's ready; returns the port, for an echo server. */
export async function start(
  work: Work,
  onSaid: (said: Said) => void = () => {},
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)));
  const ready = Promise.withResolvers<number>();
  child.on('message', (said: Said) => {
    if ('ready' in said) ready.resolve(said.ready);
    else onSaid(said);
  });
  child.once('exit', (code) => ready.reject(new Error(`A process of the bench ended (${code})`)));
  child.send(work);
  return { child, port: await ready.promise };
}

/** Ends a child, which closes its connections. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
}
