import { CUT, expect, goOffline, loseSession, signInAgain, test } from '../support/harness.ts';
import {
  field,
  hasArrived,
  message,
  messages,
  openBoth,
  openOwn,
  say,
  wordsOf,
} from '../support/pair.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

const away = /You’re offline\. Your messages are saved/;

test('Messages written offline are sent in order, once', async ({ page, site, elsewhere }) => {
  const { other } = await openBoth(page, site, elsewhere);
  await say(page, 'Line 1');
  await expect(message(other, 'Line 1')).toBeVisible();

  await goOffline(page);
  await expect(page.getByText(away)).toBeVisible();
  for (const line of [2, 3]) {
    await say(page, `Line ${line}`);
    await expect(message(page, `Line ${line}`)).toContainText('Not sent yet');
  }
  await say(other, 'Line A');
  await hasArrived(other, 'Line A');
  await page.context().setOffline(false);
  await hasArrived(page, 'Line 3');
  await expect(page.getByText(away)).toBeHidden();

  await field(page).fill('Line 4');
  // Typing without a session opens the dialog, which would take this key.
  await loseSession(page);
  await field(page).press('Enter');
  await signInAgain(page);
  await hasArrived(page, 'Line 4');
  await say(other, 'Line B');
  const order = ['Line 1', 'Line A', 'Line 2', 'Line 3', 'Line 4', 'Line B'];
  await expect.poll(() => wordsOf(page, /^Line /)).toEqual(order);
  await expect.poll(() => wordsOf(other, /^Line /)).toEqual(order);
  await page.reload();
  await expect.poll(() => wordsOf(page, /^Line /)).toEqual(order);
});

test('Words typed while an edit is being saved are saved next', async ({ page, site }) => {
  await openOwn(page, site);
  for (const words of ['Bring the ledger', 'At nine']) {
    await say(page, words);
    await hasArrived(page, words);
  }
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
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

  // Replying to another message doesn't drop them either.
  const reply = async () => {
    const actions = message(page, 'Bring the ledger').getByRole('button', { name: /^Actions/ });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Reply' }).click();
  };
  await reply();
  await expect(page.getByText('Save or cancel your edit first.')).toBeVisible();
  await expect(own).toHaveValue('At ten sharp');
  await expect(own).toBeFocused();
  await own.press('Enter');
  await expect(message(page, 'At ten sharp')).toContainText('edited');
  await expect(field(page)).toBeFocused();
  await reply();
  await expect(page.getByRole('button', { name: 'Cancel reply' })).toBeVisible();
});

test('A refused message is retried or discarded', async ({ page, site, elsewhere }) => {
  const { other } = await openBoth(page, site, elsewhere);
  const refuse = () =>
    page.route('**/rest/v1/rpc/send_message', (route) =>
      route.fulfill({ status: 400, json: { code: '22023', message: 'You can’t write here.' } }),
    );
  await refuse();
  await say(page, 'Try me twice');
  const first = message(page, 'Try me twice');
  await expect(first).toContainText('Not sent. You can’t write here.');
  const said = page.getByRole('status').getByText('Not sent. You can’t write here.');
  await expect(said).toBeAttached();
  await page.unrouteAll();
  await first.getByRole('button', { name: 'Try again' }).click();
  await hasArrived(page, 'Try me twice');
  await expect(page.getByRole('status').getByText('Sent.', { exact: true })).toBeAttached();
  await expect(said).toHaveCount(0);
  await expect(page.getByRole('region', { name: /^Conversation/ })).toBeFocused();
  await expect(message(other, 'Try me twice')).toHaveCount(1);

  await refuse();
  await say(page, 'Better not');
  await message(page, 'Better not').getByRole('button', { name: 'Discard' }).click();
  await expect(messages(page).getByText('Better not')).toHaveCount(0);
  await expect(field(page)).toHaveValue('Better not');
});
