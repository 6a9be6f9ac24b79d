/**
 * The page browsers show if they can't load a signed-in page without a connection, and the service
 * worker that serves it. The worker handles nothing else and caches nothing: every page comes from
 * the network, so none is ever older than the site.
 */

import { QUEUE_PREFIX, unsentHere } from '#lib/browser/unsent-here.ts';
import { site } from '#lib/content/site.ts';
import styles from '#styles/offline.css?inline';
import { beforePaint } from './before-paint.ts';
import { openWhenBack } from './open-when-back.ts';
import { hashOf } from './script-hash.ts';

/** Lists the changes that wait to be sent, and makes the button reload the page. */
const showWaiting = `(function(d,lines){
try{lines=(${unsentHere})("${QUEUE_PREFIX}",localStorage,d.cookie)}catch(e){}
d.querySelector("button").addEventListener("click",function(){location.reload()});
if(!lines)return;
var box=d.querySelector("section");
box.hidden=false;
if(!lines.length)return;
box.querySelector("h2").textContent="Not sent yet";
box.querySelector("p").textContent="It’s kept in this browser, and we’ll send it when the connection is back.";
box.append(d.createElement("ul"));
lines.forEach(function(line){var item=d.createElement("li");item.textContent=line;box.lastChild.append(item)})
})(document)`;

const scripts = [showWaiting, openWhenBack];

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No connection · ${site.product}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${styles}</style>
<script>${beforePaint}</script>
</head>
<body>
<main>
<p class="brand">${site.product}</p>
<h1>We can’t reach the site right now</h1>
<p>Check your connection. This page will open on its own as soon as it can.</p>
<button type="button">Try again</button>
<section hidden>
<h2>Nothing is waiting to be sent</h2>
<p>We have everything you saved in this browser.</p>
</section>
</main>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;

/**
 * Returns the source of the service worker. It contains the page, so when the page changes, so does
 * the source, and browsers install the new worker.
 */
export function offlineWorker(): string {
  const hashes = [beforePaint, ...scripts].map((script) => `'${hashOf(script)}'`).join(' ');
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; script-src ${hashes}; style-src '${hashOf(styles)}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
  return `const PAGE = ${JSON.stringify(page)};
const HEADERS = ${JSON.stringify(headers)};
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => {
  // The page is asked for while the worker starts.
  event.waitUntil(registration.navigationPreload?.enable());
});
async function answer(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return new Response(PAGE, { headers: HEADERS });
  }
}
addEventListener('fetch', (event) => {
  const { mode, method } = event.request;
  if (mode === 'navigate' && method === 'GET') event.respondWith(answer(event));
});
`;
}
