import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { forwardingHeader } from '#backend/local/gateway/client-address.ts';
import { isLoopback } from '#lib/loopback.ts';

/** Limits a site with demo accounts to this machine, despite local proxies and DNS rebinding. */

/**
 * Why a request may come from someone else, as the end of a sentence that never quotes the request;
 * null if it doesn't.
 */
export function demoRefusal({ headers, httpVersion }: IncomingMessage): string | null {
  const forwarded = forwardingHeader(Object.keys(headers));
  if (forwarded !== undefined) return `it came through a proxy (it has the header “${forwarded}”).`;
  // By default, nginx adds no revealing header but uses HTTP/1.0; browsers and fetch use 1.1.
  if (httpVersion === '1.0') return 'it uses HTTP/1.0, which is what proxies use by default.';
  if (!isLoopback((headers.host ?? '').replace(/:\d+$/, ''))) {
    return 'it was sent to an address other than 127.0.0.1 or localhost.';
  }
  const { origin } = headers;
  if (origin !== undefined && !isLoopback(URL.parse(origin)?.hostname ?? '')) {
    return 'it comes from a page of another site.';
  }
  return null;
}

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Responds to a request that {@link demoRefusal} rejects, with a page that says what to do. */
export function sendDemoRefusal(res: ServerResponse, why: string): void {
  res.writeHead(403, HEADERS).end(refusalPage(why));
}

/** The same for a WebSocket upgrade request, whose connection is then closed. */
export function closeWithDemoRefusal(socket: Duplex, why: string): void {
  const lines = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 403 Forbidden\r\n${lines.join('')}Connection: close\r\n\r\n${refusalPage(why)}`,
  );
}

const refusalPage = (why: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Only on this computer</title>
<style>
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 40rem; margin: 0 auto; padding: 3rem 1rem; }
</style>
</head>
<body>
<h1>This site has demo accounts</h1>
<p>Anyone can sign in to a demo account, because the password is public. So while these accounts
exist, the site only answers requests that are made on the computer it runs on. This request was
refused because ${why}</p>
<p>To use the site on that computer, open the address it printed when it started. To let other people
in, start it with <code>DEMO=0</code>, with <code>SITE_URL</code> set to the address they use, and
with <code>DATA_DIR</code> set to a folder without demo data.</p>
</body>
</html>
`;
