import type { Page } from '@playwright/test';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { chooseFiles, NO_PICTURE } from '../support/files.ts';
import { expect, type Site, test } from '../support/harness.ts';
import { createSomeone } from '../support/program-steps.ts';

const title = (page: Page) => page.getByRole('heading', { level: 1 });
const ORDER = {
  name: 'PO 4471.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.7\n${'order '.repeat(400)}`),
};

/** The price of a session pack becomes another one. */
async function changePrice(site: Site, minor: number): Promise<void> {
  await site.sql`
    update public.prices set ended_at = now() where plan_key = 'session-pack' and ended_at is null`;
  await site.sql`
    insert into public.prices (plan_key, every, currency, amount_minor)
    values ('session-pack', 'once', 'USD', ${minor})`;
}

/** Expects the page to print on one sheet, in America and elsewhere. */
async function checkPaper(page: Page, paper: string): Promise<void> {
  await expect(page.getByRole('heading', { name: new RegExp(`^${paper} `) })).toBeVisible();
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g), `${paper} on ${format}`).toHaveLength(1);
  }
}

async function giveReason(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toBeHidden();
}

// A refusal because of what has happened in the meantime answers with status 500.
test.use({ expectedConsole: /responded with a status of 500/ });

test('A buyer asks for a quote, sends a purchase order with its file, and an admin invoices it and records the payment', async ({
  page,
  site,
  signIn,
  elsewhere,
}) => {
  const buyer = await createSomeone(site, 'buyer', 'Linden Books');
  await signIn(page, buyer.email);

  // A price that changes while the form is open is said in words, and the new one is shown.
  await page.goto('/dashboard/orders/new?plan=session-pack');
  await page.getByLabel('How you’d like to pay').selectOption('By purchase order');
  await page.getByLabel('State').selectOption('US-NM');
  await page.getByLabel('Address').fill('1 Main Street\nTaos, NM 87571');
  await changePrice(site, 29_000);
  await page.getByRole('button', { name: 'Get the quote' }).click();
  await expect(page.getByText('The price is now $290. Check it and try again.')).toBeVisible();
  await page.getByRole('button', { name: 'Get the quote' }).click();
  await expect(title(page)).toHaveText('Session pack for Linden Books');
  await checkPaper(page, 'Quote');
  await checkBothThemes(page, 'quote');

  // Two months later, it's expired, and renewed in place at the price of that day.
  await site.sql`
    update public.orders set quoted_at = now() - interval '61 days', quote_expires_at = now()
    where buyer_id = ${buyer.userId}`;
  const early = page.getByRole('region', { name: 'Your purchase order' });
  await early.getByLabel('Purchase order number').fill('4471');
  await early.getByRole('button', { name: 'Send the purchase order' }).click();
  await expect(page.getByText('This quote has expired. Ask for a new one.')).toBeVisible();
  await site.sql`select private.expire_quotes()`;
  await changePrice(site, 30_000);
  await early.getByLabel('Purchase order number').fill('');
  await page.reload();
  await checkBothThemes(page, 'expired');
  await page.getByRole('button', { name: 'Ask for a new quote' }).click();
  await expect(
    page.getByText('Your new quote is ready. It was $304.14, and it’s $314.63 now.', {
      exact: true,
    }),
  ).toBeVisible();

  const answer = page.getByRole('region', { name: 'Your purchase order' });
  await answer.getByLabel('Purchase order number').fill('4471');
  await chooseFiles(answer.getByRole('button', { name: 'Choose a file' }), NO_PICTURE);
  await expect(answer.getByText('We can’t accept this kind of file.')).toBeVisible();
  await chooseFiles(answer.getByRole('button', { name: 'Choose a file' }), ORDER);
  await expect(answer.getByText('PO 4471.pdf, 2 kB')).toBeVisible();
  await answer.getByRole('button', { name: 'Send the purchase order' }).click();
  await expect(page.getByText('We’ll confirm it with an invoice')).toBeVisible();
  const file = page.getByRole('button', { name: 'PO 4471.pdf (2 kB)' });
  const [own] = await Promise.all([page.waitForEvent('download'), file.click()]);
  expect(own.suggestedFilename()).toBe('PO 4471.pdf');
  await checkBothThemes(page, 'sent');

  // The admin's first screen leads to it.
  const admin = await elsewhere('admin');
  await admin.goto('/admin');
  const task = admin.getByRole('listitem').filter({ hasText: 'Purchase orders to invoice' });
  const waiting = Number(await task.locator('span').first().textContent());
  await task.getByRole('link').click();
  await expect(admin.getByRole('row')).toHaveCount(waiting + 1);
  await checkBothThemes(admin, 'orders');
  await admin
    .getByRole('row', { name: /Linden Books/ })
    .getByRole('link')
    .first()
    .click();
  const [opened] = await Promise.all([
    admin.waitForEvent('download'),
    admin.getByRole('button', { name: 'PO 4471.pdf (2 kB)' }).click(),
  ]);
  expect(opened.suggestedFilename()).toBe('PO 4471.pdf');
  await checkBothThemes(admin, 'order');
  await admin.getByRole('button', { name: 'Send the invoice' }).click();
  await giveReason(admin, 'Send the invoice', 'The numbers match');
  await expect(title(admin)).toHaveText(/^INV-/);

  await page.reload();
  await expect(page.getByText(/^Please pay \$314\.63 by/)).toBeVisible();
  await checkPaper(page, 'Invoice');
  const mail = await site.mail(buyer.email, /^Your invoice INV-/);
  expect(mail.text).toContain('Coaching can start now');

  for (const [amount, reason] of [
    ['100', 'Check 12'],
    ['214.63', 'Check 13'],
  ] as const) {
    await admin.getByRole('button', { name: 'Record a payment' }).click();
    await admin.getByLabel('Amount, in dollars').fill(amount);
    await giveReason(admin, 'Record it', reason);
  }
  await expect(admin.getByText(/Paid since/)).toBeVisible();
  await page.reload();
  await checkPaper(page, 'Receipt');
  await checkBothThemes(page, 'receipt');
  await expect(page.getByText(/^3 of 3 sessions left, good until/)).toBeVisible();
  for (const each of [page, admin]) await checkWidth(each, 320);
});
