// A child process that serves a folder as the site does, and reports its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequestHandler } from '#server/request-handler.ts';

const server = createServer(
  createRequestHandler({
    siteUrl: 'http://127.0.0.1:4321',
    publishableKey: 'sb_publishable_bench',
    supabaseUrl: undefined,
    backend: undefined,
    mailbox: undefined,
    home: async () => null,
    healthy: async () => true,
    redirects: [],
    demoAccounts: false,
    files: process.argv[2],
    pages: (_req, res) => void res.writeHead(404).end(),
  }),
).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
