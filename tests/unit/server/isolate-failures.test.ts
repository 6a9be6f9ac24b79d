import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';

const file = fileURLToPath(new URL('../../fixtures/failing-server.ts', import.meta.url));
const flags = [
  '--expose-gc',
  '--experimental-strip-types',
  '--disable-warning=ExperimentalWarning',
];

/** Starts a server in a separate process and collects its log. */
async function startServer() {
  const server = spawn(process.execPath, [...flags, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let logged = '';
  server.stderr.on('data', (chunk) => {
    logged += chunk;
  });
  const [said] = (await once(server.stdout, 'data')) as [Buffer];
  return { server, port: Number(said.toString()), logged: () => logged };
}

const { server, port, logged } = await startServer();
afterAll(() => {
  server.kill('SIGKILL');
});

const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

describe('What nobody catches', () => {
  test.each(['/timer', '/forgotten'])('ends its own request and no other: %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(500);
    const [, reference] = /<code>(\w+)<\/code>/.exec(await answer.text()) ?? [];
    // The log comes through another pipe than the answer, so it may arrive later.
    await vi.waitFor(() => {
      expect(logged()).toContain(`"reference":"${reference}","path":"${path}"`);
    });
    expect(await (await get('/')).text()).toBe('fine');
  });

  test.each(['/timer', '/at-once'])('closes its own socket and no other: %s', async (path) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await once(socket, 'close');
    expect(await (await get('/')).text()).toBe('fine');
  });

  test('ends the process in order where it belongs to no request', async () => {
    const other = await startServer();
    other.server.kill('SIGUSR2');
    const [said] = (await once(other.server.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('ended\n');
    await once(other.server, 'close');
    expect(other.logged()).toContain('"path":"(no request)","error":"Error: broken inside"');
  });
});

test('A request is forgotten once it was answered, even if a timer of it still runs', async () => {
  await (await get('/waits')).text();
  await vi.waitFor(async () => expect(await (await get('/waited')).text()).toBe('gone'));
});
