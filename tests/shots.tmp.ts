import { chromium } from '@playwright/test';
import { findBrowser } from './fixtures/browser.ts';
import { servePlainly } from './fixtures/plain-server.ts';
import { readdirSync } from 'node:fs';
const dist = process.env.DIST ?? readdirSync('dist')[0];
const s = await servePlainly(`dist/${dist}/client`);
const b = await chromium.launch(await findBrowser());
const [path = '/test-chart', name = 'chart', js = '1'] = process.argv.slice(2);
let bytes = 0;
for (const w of (process.env.W ?? '360,768,1440').split(',').map(Number)) for (const t of (process.env.T ?? 'light,dark').split(',') as ('light'|'dark')[]) {
  const p = await b.newPage({ viewport: { width: w, height: 900 }, colorScheme: t, javaScriptEnabled: js === '1' });
  const log: string[] = [];
  p.on('console', (m) => log.push(m.text())); p.on('pageerror', (e) => log.push(String(e)));
  await p.goto(s.url + path, { waitUntil: 'networkidle' });
  const beyond = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  console.log(w, t, 'beyond', beyond, log.filter((l) => !/app-config|insights|404|405/.test(l)));
  await p.screenshot({ path: `/tmp/charts/${name}-${w}-${t}.png`, fullPage: true });
  await p.close();
}
await b.close(); await s.stop();
