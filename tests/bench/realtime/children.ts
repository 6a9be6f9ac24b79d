/** Processes of the bench, so that those who listen don't share the server's thread. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TokenHolder } from '../../fixtures/token-holders.ts';

/** What a process does: listens on one topic, holds the connections of people, or echoes. */
export type Work = { url: string; key: string } & (
  | { kind: 'listen'; topic: string; people: TokenHolder[] }
  | { kind: 'hold'; people: TokenHolder[] }
  | { kind: 'echo' }
);

/** What a process says: that all have joined, when a message arrived at each listener, or that the server ended a channel of this person. */
export type Said = { ready: number } | { id: string; times: number[] } | { ended: string };

/** Starts a process, and waits until it is ready; gives what it said then, a port for an echo. */
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

/** Ends such a process, as if its connections were closed. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
}
