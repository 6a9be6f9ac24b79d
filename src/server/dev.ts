// `npm run dev`: the same address and backend as `npm start`, with hot reload.

import { request } from 'node:http';
import { connect } from 'node:net';
import getPort from 'get-port';
import { projectRoot } from '#backend/local/project-root.ts';
import { serve } from './serve.ts';

serve(async () => {
  const port = await getPort({ host: '127.0.0.1' });
  return {
    async open() {
      const { dev } = await import('astro');
      const astro = await dev({ root: projectRoot, server: { host: '127.0.0.1', port } });
      return {
        files: undefined,
        // In development, Astro runs its own server, so we proxy requests to it.
        pages(incoming, outgoing) {
          const { method, url, headers } = incoming;
          const passed = request({ host: '127.0.0.1', port, method, path: url, headers });
          passed.on('response', (answer) => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(outgoing);
          });
          passed.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end());
          incoming.pipe(passed);
        },
        upgrade(incoming, socket, head) {
          const passed = connect(port, '127.0.0.1', () => {
            const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
            for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
              lines.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
            }
            passed.write(`${lines.join('\r\n')}\r\n\r\n`);
            passed.write(head);
            passed.pipe(socket).pipe(passed);
          });
          const end = () => {
            passed.destroy();
            socket.destroy();
          };
          passed.on('error', end);
          socket.on('error', end);
        },
        close: () => astro.stop(),
      };
    },
  };
});
