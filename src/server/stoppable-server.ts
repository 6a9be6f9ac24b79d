import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface StoppableServer {
  server: Server;
  /**
   * Takes no more connections and finishes what is being answered; other requests get a 503.
   * @param grace in ms; what is not through by then is cut off
   */
  stop(grace: number): Promise<void>;
}

/** When a browser may ask again, in seconds; starting takes about that long. */
const RETRY_AFTER = 5;

/** Makes a server for this listener that keeps connections open between answers, until it stops. */
export function createStoppableServer(answer: RequestListener): StoppableServer {
  const connections = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  let stopping = false;

  const server = createServer((req, res) => {
    if (stopping) return refuse(res);
    answers.add(res);
    res.once('close', () => {
      answers.delete(res);
      // Of one whose headers went out before, the browser doesn't know that it was the last.
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
      // Also those that became sockets, of which the server itself knows nothing any more.
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
