import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import { createTestDatabase } from '../fixtures/database.ts';
import { expect, loseSession, test } from './support/harness.ts';
import {
  CUT,
  canWrite,
  field,
  hasArrived,
  makePair,
  message,
  messages,
  onAnotherComputer,
  openBoth,
  openDirect,
  openOwn,
  say,
  wordsOf,
} from './support/pair.ts';
import { startSite } from './support/site-process.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

const away = /No connection\. What you write is kept/;

test('Messages written while the connection is cut go out in order when it is back, and nothing comes twice', async ({
  page,
  browser,
  site,
}) => {
  const { other } = await openBoth(page, browser, site);
  await say(page, 'Line 1');
  await expect(message(other, 'Line 1')).toBeVisible();

  await page.context().setOffline(true);
  await expect(page.getByText(away)).toBeVisible();
  for (const line of [2, 3, 4]) {
    await say(page, `Line ${line}`);
    await expect(message(page, `Line ${line}`)).toContainText('Waits for the connection');
  }
  // Meanwhile the other one writes, too.
  await say(other, 'Line A');
  await hasArrived(other, 'Line A');
  await page.context().setOffline(false);
  await hasArrived(page, 'Line 4');
  await expect(page.getByText(away)).toBeHidden();

  const order = ['Line 1', 'Line A', 'Line 2', 'Line 3', 'Line 4'];
  await expect.poll(() => wordsOf(page, /^Line /)).toEqual(order);
  await expect.poll(() => wordsOf(other, /^Line /)).toEqual(order);
  await page.reload();
  await expect.poll(() => wordsOf(page, /^Line /)).toEqual(order);
  await other.context().close();
});

test('The server is started again in the middle of a conversation, and it goes on', async ({
  browser,
}) => {
  const database = await createTestDatabase();
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: await mkdtemp(path.join(process.env.TEST_SCRATCH ?? '/tmp', 'restart-')),
    PORT: String(await getPort({ host: '127.0.0.1' })),
    DEMO: '1',
    SMTP_URL: '',
  };
  let running = await startSite(settings);
  try {
    const pair = await makePair({ databaseUrl: database.url });
    const owner = await onAnotherComputer(browser, running, pair.owner);
    const address = await openDirect(owner, pair.coach);
    const coach = await onAnotherComputer(browser, running, pair.coach);
    await coach.goto(address);
    await canWrite(coach);
    await say(owner, 'Before the server stops');
    await expect(message(coach, 'Before the server stops')).toBeVisible();

    await running.stop();
    await say(owner, 'While there is no server');
    await say(owner, 'Nor now');
    await expect(owner.getByText(away)).toBeVisible();
    running = await startSite(settings);

    await expect(message(coach, 'Nor now')).toBeVisible({ timeout: 40_000 });
    await say(coach, 'There you are');
    await expect(message(owner, 'There you are')).toBeVisible({ timeout: 40_000 });
    await hasArrived(owner, 'Nor now');
    const order = [
      'Before the server stops',
      'While there is no server',
      'Nor now',
      'There you are',
    ];
    const words = /^(Before the|While|Nor|There you)/;
    await expect.poll(() => wordsOf(owner, words)).toEqual(order);
    await expect.poll(() => wordsOf(coach, words)).toEqual(order);
    await owner.context().close();
    await coach.context().close();
  } finally {
    await running.stop();
    await database.drop();
  }
});

test('A tab is closed before its message went out: the next page sends it', async ({
  page,
  browser,
  site,
  context,
}) => {
  const { other } = await openBoth(page, browser, site);
  // Only what this tab sends is lost.
  await page.route('**/rest/v1/rpc/send_message', (route) => route.abort());
  await say(page, 'Left behind in a closed tab');
  await expect(message(page, 'Left behind in a closed tab')).toContainText(
    'Waits for the connection',
  );
  const next = await context.newPage();
  await page.close();
  await next.goto('/dashboard');
  await expect(message(other, 'Left behind in a closed tab')).toBeVisible();
  await expect(message(other, 'Left behind in a closed tab')).toHaveCount(1);
  await other.context().close();
});

test('Words typed while a change of a message is being saved stay, and are saved next', async ({
  page,
  site,
}) => {
  await openOwn(page, site);
  await say(page, 'At nine');
  await hasArrived(page, 'At nine');
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/rest/v1/rpc/edit_message', async (route) => {
    await held;
    await route.continue();
  });
  await field(page).press('ArrowUp');
  const own = page.getByRole('textbox', { name: 'Your message' });
  await own.fill('At ten');
  await own.press('Enter');
  await expect(message(page, 'At ten')).toBeVisible();
  await own.press('End');
  await own.pressSequentially(' sharp');
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toHaveAttribute('aria-busy', 'true');
  letGo();
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  await expect(own).toHaveValue('At ten sharp');
  await own.press('Enter');
  await expect(message(page, 'At ten sharp')).toContainText('edited');
  await expect(field(page)).toBeFocused();
});

test('Words of a message that are being changed are not dropped for an answer to another one', async ({
  page,
  site,
}) => {
  await openOwn(page, site);
  for (const words of ['We open at nine', 'Bring the ledger']) {
    await say(page, words);
    await hasArrived(page, words);
  }
  await field(page).press('ArrowUp');
  const own = page.getByRole('textbox', { name: 'Your message' });
  await expect(own).toHaveValue('Bring the ledger');
  await own.fill('Bring the ledger and the till roll');
  const choose = async (action: string) => {
    await message(page, 'We open at nine')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Reply');
  await expect(page.getByText('Save this change first, or leave it as it was.')).toBeVisible();
  await expect(own).toHaveValue('Bring the ledger and the till roll');
  await expect(own).toBeFocused();
  await own.press('Enter');
  await expect(message(page, 'Bring the ledger and the till roll')).toContainText('edited');
  await choose('Reply');
  await expect(page.getByRole('button', { name: 'Do not answer to it' })).toBeVisible();
});

test('The same conversation in two tabs shows everything once, whichever of them sends', async ({
  page,
  browser,
  site,
  context,
}) => {
  const { other, address } = await openBoth(page, browser, site);
  const second = await context.newPage();
  await second.goto(address);
  await canWrite(second);
  await say(page, 'Twin 1');
  await expect(message(second, 'Twin 1')).toBeVisible();
  await say(second, 'Twin 2');
  await hasArrived(second, 'Twin 2');
  await expect(message(page, 'Twin 2')).toBeVisible();
  await say(other, 'Twin 3');
  for (const each of [page, second, other]) {
    await expect.poll(() => wordsOf(each, /^Twin /)).toEqual(['Twin 1', 'Twin 2', 'Twin 3']);
  }
  await other.context().close();
});

test('What is being written is kept over a reload, and found on another device', async ({
  page,
  browser,
  site,
}) => {
  const { pair, address } = await openOwn(page, site);
  const stored = page.waitForResponse('**/rest/v1/rpc/save_message_draft');
  await field(page).fill('Half a thought about flour');
  expect((await stored).ok()).toBe(true);
  await page.reload();
  await canWrite(page);
  await expect(field(page)).toHaveValue('Half a thought about flour');

  const device = await onAnotherComputer(browser, site, pair.owner);
  await device.goto(address);
  await canWrite(device);
  await expect(field(device)).toHaveValue('Half a thought about flour');
  await field(device).press('Enter');
  await hasArrived(device, 'Half a thought about flour');
  await expect(field(device)).toHaveValue('');
  // The first one hears that it was sent.
  await expect(message(page, 'Half a thought about flour')).toBeVisible();
  await expect(field(page)).toHaveValue('');
  await device.context().close();
});

test('A session that has ended loses nothing: the message goes out after signing in again', async ({
  page,
  browser,
  site,
}) => {
  const { other } = await openBoth(page, browser, site);
  await loseSession(page);
  await field(page).fill('After my session was over');
  await field(page).press('Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(again).toBeVisible();
  await again.getByLabel('Password', { exact: true }).fill('demo-Passw0rd!');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again).toBeHidden();
  await hasArrived(page, 'After my session was over');
  await expect(message(other, 'After my session was over')).toHaveCount(1);
  await say(other, 'Good to have you back');
  await expect(message(page, 'Good to have you back')).toBeVisible();
  await other.context().close();
});

test('A message that is refused says why, and can be tried again or discarded without losing its words', async ({
  page,
  browser,
  site,
}) => {
  const { other } = await openBoth(page, browser, site);
  let refuse = true;
  await page.route('**/rest/v1/rpc/send_message', (route) =>
    refuse
      ? route.fulfill({
          status: 400,
          contentType: 'application/json',
          body: JSON.stringify({
            code: '22023',
            message: 'You cannot write here.',
            details: null,
            hint: null,
          }),
        })
      : route.fallback(),
  );
  await say(page, 'Try me twice');
  const first = message(page, 'Try me twice');
  await expect(first).toContainText('Not sent. You cannot write here.');
  const said = page.getByRole('status').getByText('Not sent. You cannot write here.');
  await expect(said).toBeAttached();
  refuse = false;
  await first.getByRole('button', { name: 'Try again' }).click();
  await hasArrived(page, 'Try me twice');
  await expect(page.getByRole('status').getByText('Sent.', { exact: true })).toBeAttached();
  await expect(said).toHaveCount(0);
  await expect(page.getByRole('region', { name: /^Conversation/ })).toBeFocused();
  await expect(message(other, 'Try me twice')).toHaveCount(1);

  refuse = true;
  await say(page, 'Better not');
  await message(page, 'Better not').getByRole('button', { name: 'Discard' }).click();
  await expect(messages(page).getByText('Better not')).toHaveCount(0);
  await expect(field(page)).toHaveValue('Better not');
  await other.context().close();
});
