import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';

const targets = v.tuple([v.object({ webSocketDebuggerUrl: v.string() })]);
const usage = v.object({
  result: v.object({ usedSize: v.number(), backingStorageSize: v.number() }),
});

/** Node opens its debugger on this signal. */
const OPEN_DEBUGGER = 'SIGUSR1';
/** A debugger that doesn't answer within this fails the run instead of holding it up. */
const LONGEST_MS = 60_000;

/**
 * What a process of Node keeps: its objects and their buffers, in MB, after V8 has collected all that nothing
 * refers to. By the Chrome DevTools Protocol: https://chromedevtools.github.io/devtools-protocol/v8/.
 * @param port of its debugger, from `--inspect-port`
 * @throws Error if the debugger doesn't open or answer
 */
export async function keptBy(pid: number, port: number): Promise<number> {
  process.kill(pid, OPEN_DEBUGGER);
  const [{ webSocketDebuggerUrl }] = v.parse(targets, await debuggerOn(port));
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open', { signal: AbortSignal.timeout(LONGEST_MS) });
  const ask = async (method: string): Promise<unknown> => {
    const answer = once(socket, 'message', { signal: AbortSignal.timeout(LONGEST_MS) });
    socket.send(JSON.stringify({ id: 1, method }));
    const [{ data }] = await answer;
    return JSON.parse(data);
  };
  try {
    await ask('HeapProfiler.collectGarbage');
    const { result } = v.parse(usage, await ask('Runtime.getHeapUsage'));
    return (result.usedSize + result.backingStorageSize) / 1024 / 1024;
  } finally {
    socket.close();
  }
}

async function debuggerOn(port: number): Promise<unknown> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
    if (answer) return answer.json();
    await wait(100);
  }
  throw new Error('The debugger of the site does not open.');
}
