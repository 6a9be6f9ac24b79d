import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface StoppableServer {
  server: Server;
  /**
   * Accepts no more connections and finishes responses in progress; new requests get a 503.
   * @param grace milliseconds after which the remaining connections are closed
   */
  stop(grace: number): Promise<void>;
}

/** When clients may retry, in seconds; a restart takes about that long. */
const RETRY_AFTER = 5;

/** Creates a server for this listener that keeps connections alive until it stops. */
export function createStoppableServer(answer: RequestListener): StoppableServer {
  const connections = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  let stopping = false;

  const server = createServer((req, res) => {
    if (stopping) return refuse(res);
    answers.add(res);
    res.once('close', () => {
      answers.delete(res);
      // If the headers were sent before the stop, the client still expects to reuse the connection.
      if (stopping) server.closeIdleConnections();
    });
    answer(req, res);
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  return {
    server,
    async stop(grace) {
      stopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const res of answers) res.shouldKeepAlive = false;
      server.closeIdleConnections();
      await Promise.race([closed, wait(grace, undefined, { ref: false })]);
      // Including WebSockets, which the server itself no longer tracks.
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

function refuse(res: ServerResponse): void {
  res.writeHead(503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': `${RETRY_AFTER}`,
    Connection: 'close',
  });
  res.end('The site is restarting. Try again in a moment.');
}
