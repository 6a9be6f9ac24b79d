import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStoppableServer, type StoppableServer } from '#server/stoppable-server.ts';

let site: StoppableServer;
let agent: Agent;
const held: Parameters<RequestListener>[1][] = [];
const port = () => (site.server.address() as AddressInfo).port;

beforeEach(async () => {
  held.length = 0;
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  site = createStoppableServer((req, res) => {
    if (req.url === '/held') held.push(res);
    else if (req.url === '/begun') {
      res.write('a');
      held.push(res);
    } else res.end('done');
  });
  site.server.on('upgrade', (_req, socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
  });
  site.server.listen(0, '127.0.0.1');
  await once(site.server, 'listening');
});
afterEach(async () => {
  agent.destroy();
  await site.stop(0);
});

async function ask(path: string, by = agent): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port: port(), path, agent: by }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

describe('A server that stops', () => {
  test('finishes what it is answering, and says that this was the last on the connection', async () => {
    const answer = ask('/held');
    await expect.poll(() => held.length).toBe(1);
    const stopped = site.stop(10_000);
    held[0]?.end('the whole');
    expect((await answer).headers.connection).toBe('close');
    expect(await text(await answer)).toBe('the whole');
    await stopped;
  });

  test('closes a connection after an answer that had begun before', async () => {
    const answer = await ask('/begun');
    expect(answer.headers.connection).toBe('keep-alive');
    const stopped = site.stop(10_000);
    held[0]?.end('b');
    expect(await text(answer)).toBe('ab');
    await stopped;
  });

  test('tells who asks on an open connection to come back, and closes it', async () => {
    // A held request keeps the server running. The other connection's request is still incomplete.
    const first = ask('/held', new Agent());
    await expect.poll(() => held.length).toBe(1);
    const late = connect(port(), '127.0.0.1');
    late.write('GET / HTTP/1.1\r\nHost: site\r\n');
    await expect
      .poll(() => new Promise((resolve) => site.server.getConnections((_error, n) => resolve(n))))
      .toBe(2);
    const stopped = site.stop(10_000);
    late.write('\r\n');
    const answer = await text(late);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^Connection: close\r$/m);
    expect(answer).toMatch(/^Retry-After: \d+\r$/m);
    held[0]?.end();
    await first;
    await stopped;
  });

  test('closes idle connections at once', async () => {
    const idle = connect(port(), '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: site\r\n\r\n');
    await once(idle, 'data');
    await Promise.all([once(idle, 'close'), site.stop(10_000)]);
  });

  test('cuts off what never ends, a socket too', async () => {
    const answer = ask('/held').catch((error: Error) => error);
    const socket = connect(port(), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: site\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    await once(socket, 'data');
    await expect.poll(() => held.length).toBe(1);
    await site.stop(50);
    expect(await answer).toBeInstanceOf(Error);
    await once(socket, 'close');
  });
});
