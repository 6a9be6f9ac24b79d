import { chromium } from '@playwright/test';
import { findBrowser } from './fixtures/browser.ts';
const site = 'http://127.0.0.1:4791';
const [who = 'owner', path = '/dashboard', name = 'x', sizes = '360,768,1440', themes = 'light,dark'] = process.argv.slice(2);
const browser = await chromium.launch(await findBrowser());
const context = await browser.newContext({ reducedMotion: 'reduce' });
const page = await context.newPage();
page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log('console', m.text()));
page.on('pageerror', (e) => console.log('error', String(e)));
await page.goto(`${site}/login`);
await page.getByLabel('Email').fill(who.includes('@') ? who : `${who}@demo.test`);
await page.getByLabel('Password', { exact: true }).fill('demo-Passw0rd!');
await page.getByRole('button', { name: 'Sign in', exact: true }).click();
await page.waitForURL((u) => u.pathname !== '/login');
for (const theme of themes.split(',')) {
  for (const width of sizes.split(',').map(Number)) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme as 'light', reducedMotion: 'reduce' });
    await page.goto(site + path);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `/tmp/skills/${name}-${width}-${theme}.png`, fullPage: true });
  }
}
await browser.close();
