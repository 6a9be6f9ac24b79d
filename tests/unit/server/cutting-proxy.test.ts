import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  type CuttingOptions,
  type CuttingProxy,
  startCuttingProxy,
} from '../../fixtures/cutting-proxy.ts';

/** Bodies that arrived whole, in order. */
let arrived: string[];
let server: Server;
let sockets: WebSocketServer;
let target: number;
const proxies: CuttingProxy[] = [];

beforeEach(async () => {
  arrived = [];
  server = createServer(async (incoming, outgoing) => {
    let body = '';
    try {
      for await (const chunk of incoming) body += chunk;
    } catch {
      return;
    }
    arrived.push(body);
    outgoing.end(`heard ${body}`);
  });
  sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data) => socket.send(`heard ${data}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
  sockets.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function proxyWith(options: Partial<CuttingOptions>): Promise<CuttingProxy> {
  const proxy = await startCuttingProxy({ target, seed: 7, ...options });
  proxies.push(proxy);
  return proxy;
}

/** One request, on a connection of its own unless an agent keeps some; gives the answer, or `cut`. */
function say(url: string, body: string, agent: Agent | false = false): Promise<string> {
  return new Promise((resolve) => {
    const cut = () => resolve('cut');
    const outgoing = request(url, { method: 'POST', agent }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('error', cut);
      incoming.on('end', () => resolve(incoming.complete ? text : 'cut'));
    });
    outgoing.on('error', cut);
    outgoing.end(body);
  });
}

/** A socket that is open, and a promise of its end. */
async function openSocket(url: string): Promise<{ socket: WebSocket; ended: Promise<void> }> {
  const socket = new WebSocket(url.replace('http', 'ws'));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  // A short life may be over before it is open.
  await Promise.race([ended, new Promise((resolve) => socket.once('open', resolve))]);
  return { socket, ended };
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `word ${n}`);

test('Let through, requests and sockets pass whole, however much they carry', async () => {
  const proxy = await proxyWith({ mode: 'through', requests: 1, sockets: [1, 1] });
  const long = 'x'.repeat(3_000_000);
  expect(await say(proxy.url, long)).toBe(`heard ${long}`);
  const { socket } = await openSocket(proxy.url);
  for (const text of ['one', long]) {
    socket.send(text);
    const heard = await new Promise((resolve) => socket.once('message', (data) => resolve(data)));
    expect(String(heard)).toBe(`heard ${text}`);
  }
  expect(proxy.cuts()).toEqual({ requests: 0, sockets: 0 });
  socket.terminate();
});

test('The same seed cuts the same requests, and another seed others', async () => {
  const fates: string[][] = [];
  for (const seed of [3, 3, 4]) {
    const { url } = await proxyWith({ seed, requests: 0.4 });
    const answers: string[] = [];
    for (const word of words(30)) answers.push(await say(url, word));
    fates.push(answers);
  }
  expect(fates[1]).toEqual(fates[0]);
  expect(fates[2]).not.toEqual(fates[0]);
});

test('A request is cut before it arrives, after it was done, or in its answer', async () => {
  const proxy = await proxyWith({ requests: 0.5 });
  const said = words(60);
  const answers: string[] = [];
  for (const word of said) answers.push(await say(proxy.url, word));
  const cut = answers.filter((answer) => answer === 'cut').length;
  expect(proxy.cuts().requests).toBe(cut);
  expect(cut).toBeGreaterThan(15);
  expect(cut).toBeLessThan(45);
  expect(answers.filter((answer) => answer !== 'cut')).toHaveLength(60 - cut);
  // Whoever is not answered cannot know whether it was done: some of these were, some not.
  const done = said.filter((word, n) => answers[n] === 'cut' && arrived.includes(word)).length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(cut);
});

test('A connection that carries several requests is cut in any of them', async () => {
  const proxy = await proxyWith({ requests: 0.2 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: string[] = [];
  for (const word of words(40)) answers.push(await say(proxy.url, word, agent));
  agent.destroy();
  const cut = answers.filter((answer) => answer === 'cut').length;
  expect(proxy.cuts().requests).toBe(cut);
  // Some connections carried more than one request before they were cut.
  expect(answers.join()).toMatch(/heard word \d+,heard word \d+,(.*,)?cut/);
});

test('Sockets end by chance, and live as long as they are let through', async () => {
  const proxy = await proxyWith({ sockets: [10, 60] });
  const { ended } = await openSocket(proxy.url);
  await ended;
  expect(proxy.cuts().sockets).toBe(1);
  proxy.mode('through');
  const second = await openSocket(proxy.url);
  await say(proxy.url, 'between');
  expect(second.socket.readyState).toBe(WebSocket.OPEN);
  proxy.mode('random');
  await second.ended;
  expect(proxy.cuts().sockets).toBe(2);
});

test('Cut off, what is open ends and nobody gets in, until it is let through again', async () => {
  const proxy = await proxyWith({ mode: 'through' });
  const { ended } = await openSocket(proxy.url);
  proxy.mode('cut');
  await ended;
  expect(await say(proxy.url, 'lost')).toBe('cut');
  expect(arrived).toEqual([]);
  proxy.mode('through');
  expect(await say(proxy.url, 'found')).toBe('heard found');
});

test('A server that is away for a while is only a connection that fails', async () => {
  const proxy = await proxyWith({ mode: 'through' });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await say(proxy.url, 'nobody')).toBe('cut');
  await new Promise<void>((resolve) => server.listen(target, '127.0.0.1', resolve));
  expect(await say(proxy.url, 'again')).toBe('heard again');
});
