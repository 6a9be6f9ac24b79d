import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: false, expectedConsole: CUT });

test('A visitor writes, and an admin answers; the answer arrives', async ({
  page,
  site,
  elsewhere,
}) => {
  const visitor = await elsewhere(null);
  await visitor.goto(`${site.url}/contact?topic=coaching`);
  await visitor.getByLabel('Your name').fill('Wilma Waiting');
  await visitor.getByLabel('Email').fill('wilma@example.test');
  await visitor.getByLabel('Message').fill('Can I come with my sister?');
  await visitor.getByRole('button', { name: 'Send' }).click();
  await expect(visitor.getByRole('heading', { name: 'Your message has arrived' })).toBeVisible();

  await page.goto('/admin');
  await page.getByRole('link', { name: /Messages to answer/ }).click();
  await expect(page).toHaveURL(/show=waiting/);
  const table = page.getByRole('table', { name: 'Contacts' });
  await expect(table.getByRole('row', { name: /Wilma Waiting/ })).toContainText(
    'Waiting for an answer',
  );
  await checkAccessibility(page);
  await table.getByRole('link', { name: 'Wilma Waiting' }).click();

  const message = page.getByRole('article');
  await expect(message).toContainText('Can I come with my sister?');
  await message.getByRole('button', { name: 'Answered elsewhere' }).click();
  await expect(page.getByText('Nothing waits for an answer.')).toBeVisible();
  await message.getByRole('button', { name: 'Undo' }).click();

  // What was typed stays if the page is closed or the request fails.
  await message.getByLabel('Your answer').fill('Yes, bring her along.');
  await page.reload();
  await expect(message.getByLabel('Your answer')).toHaveValue('Yes, bring her along.');
  await checkAccessibility(page);
  await page.route('**/rpc/answer_contact_message', (route) => route.abort());
  await message.getByRole('button', { name: 'Send the answer' }).click();
  await expect(message.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await message.getByRole('button', { name: 'Send the answer' }).click();
  await expect(message).toContainText('Answered by email');
  await expect(message).toContainText('Yes, bring her along.');

  const mail = await site.mail('wilma@example.test', /Our answer to your message/);
  expect(mail.text).toContain('Yes, bring her along.');
  expect(mail.text).toContain('Can I come with my sister?');
});

test('An admin merges two contacts of one person, and who unsubscribed stays so', async ({
  page,
  site,
}) => {
  await site.sql`
    insert into public.contacts (email, name, business, newsletter, consented_at, consent_wording, left_at)
    values
      ('tess@example.test', 'Tess Twice', 'Twice Tiles', 'subscribed', now(), 'I want it', null),
      ('tess@tiles.test', 'Tess Twice', 'Twice Tiles', 'left', now(), 'I want it', now())`;
  await page.goto('/admin/contacts-summary?show=twins&q=tess');
  const table = page.getByRole('table', { name: 'Contacts' });
  await expect(table.getByRole('row')).toHaveCount(3);
  await table
    .getByRole('row', { name: /tess@example\.test/ })
    .getByRole('link')
    .click();
  await page.getByRole('button', { name: 'Merge… with tess@tiles.test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge these two contacts?' });
  await expect(dialog.getByText('tess@tiles.test unsubscribed, so')).toBeVisible();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Told us on the phone');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Possible duplicates' })).toBeHidden();
  const facts = page.getByRole('region', { name: 'About them' });
  await expect(facts).toContainText('Unsubscribed');
  await expect(facts).toContainText('tess@tiles.test');
});
