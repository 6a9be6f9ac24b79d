import { Agent, get } from 'node:http';

/** How many requests are under way at any time. */
const AT_ONCE = 16;

export interface Load {
  url: string;
  cookie: string;
}

/** Requests a page over and over, several at once; returns how long each took, in ms. */
export async function keepAsking(load: Load, ms: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const times: number[] = [];
  const until = performance.now() + ms;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < until) times.push(await opens(load, agent));
    }),
  );
  agent.destroy();
  return times;
}

/** Milliseconds from a page's request to its last byte. */
function opens({ url, cookie }: Load, agent: Agent): Promise<number> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'gzip, deflate, br' };
    const asked = get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.on('data', () => {});
      answer.on('end', () => resolve(performance.now() - from));
      answer.on('error', reject);
    });
    asked.on('error', reject);
  });
}

/** Requests some URLs in turn, several at once, until there have been so many requests. */
export async function askInTurn(loads: readonly Load[], requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let sent = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (sent < requests) {
        const load = loads[sent % loads.length];
        sent += 1;
        if (load) await opens(load, agent);
      }
    }),
  );
  agent.destroy();
}
