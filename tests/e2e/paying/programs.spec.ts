import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { confirmFromMail, newAddress, typeRegistration } from '../support/account-steps.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';
import { createCode, createProgram, createSomeone, takeSeat } from '../support/program-steps.ts';

const title = (page: Page) => page.getByRole('heading', { level: 1 });
async function agree(page: Page) {
  await page.getByLabel(/^I’ve read the text above/).check();
  await page.getByRole('button', { name: 'Take the seat' }).click();
}

test('A sponsor hands out a code to ten owners, two of them in the browser, and reads totals', async ({
  page,
  site,
  signIn,
  elsewhere,
}) => {
  const { id, sponsor } = await createProgram(site, 'Main Street', 20);
  await signIn(page, sponsor.email);
  await page.goto('/dashboard');
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Programs' })
    .click();
  await page.getByRole('link', { name: 'Main Street' }).click();
  await expect(title(page)).toHaveText('Main Street');
  await page.getByLabel('For how many businesses').fill('15');
  await page.getByRole('button', { name: 'Create a code' }).click();
  const code = (await page.getByRole('link', { name: /^[A-Z]+-[0-9A-Z]{5}$/ }).textContent()) ?? '';
  expect(code).toMatch(/^[A-Z]+-/);
  await checkBothThemes(page, 'program');

  for (let number = 0; number < 8; number++) {
    await takeSeat(site, await createSomeone(site, 'owner', `Shop ${number}`), code);
  }

  // One before registering, and without JavaScript until then.
  const plain = await elsewhere(null, { javaScriptEnabled: false });
  await plain.goto('/purchase');
  await plain.getByLabel('Seat code').fill(code.toLowerCase());
  await plain.getByRole('button', { name: 'Check the code' }).click();
  await expect(title(plain)).toHaveText('A seat in Main Street');
  await expect(plain.getByText('They never see who you are')).toBeVisible();
  const visitor = await elsewhere(null);
  await visitor.goto(plain.url());
  await checkBothThemes(visitor, 'offer');
  await visitor.getByRole('link', { name: 'Create an account' }).click();
  const email = newAddress('rosa');
  await typeRegistration(visitor, email);
  await visitor.getByLabel('Business name').fill('Marsh Bakery');
  await visitor.getByRole('button', { name: 'Create account' }).click();
  await expect(visitor.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await confirmFromMail(visitor, site, email);
  await expect(title(visitor)).toHaveText('A seat in Main Street');
  await agree(visitor);
  await expect(title(visitor)).toHaveText('Marsh Bakery has a seat in Main Street');
  await expect(visitor.getByText('Four sessions are left')).toBeVisible();
  await visitor.reload();
  await checkBothThemes(visitor, 'success');

  const tenth = await createSomeone(site, 'owner', 'Wren Tools');
  const owner = await elsewhere(tenth.email);
  await owner.goto(`/purchase?code=${code}`);
  await agree(owner);
  await expect(title(owner)).toHaveText('Wren Tools has a seat in Main Street');

  await site.sql`select private.read_programs()`;
  await page.goto(`/dashboard/programs/${id}`);
  await expect(page.getByRole('row', { name: /^Businesses with a seat/ })).toContainText('10');
  await expect(page.getByRole('row', { name: /^Sessions held/ })).toContainText('0');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const csv = await readFile(await file.path(), 'utf8');
  expect(csv).toContain('Businesses with a seat,10');
  for (const text of [csv, await page.content()]) {
    for (const name of ['Marsh Bakery', 'Wren Tools', 'Shop 1', email, tenth.email]) {
      expect(text).not.toContain(name);
    }
  }
  await checkWidth(page, 320);
});

test('An owner reads exactly what the sponsor sees, stops being counted, and leaves', async ({
  page,
  site,
  signIn,
}) => {
  const { id, sponsor } = await createProgram(site, 'Spring', 10);
  const owner = await createSomeone(site, 'owner', 'Finch Books');
  await takeSeat(site, owner, await createCode(site, id, sponsor));
  await signIn(page, owner.email);
  await page.goto('/dashboard/programs');
  const seat = page.getByRole('region', { name: 'Spring' });
  await expect(seat).toContainText('0 of 4 sessions used');
  await seat.getByText('Exactly what Bernalillo County sees now').click();
  await expect(seat.getByRole('row', { name: /^Asked for a coach/ })).toContainText('Not shown');
  await checkBothThemes(page, 'own programs');
  await checkWidth(page, 320);
  await seat.getByRole('button', { name: 'Stop being counted' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop counting us' }).click();
  await expect(seat).toContainText('You haven’t been counted since');
  await seat.getByRole('button', { name: 'Leave the program' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the program' }).click();
  await expect(seat).toContainText('Passed on');
});

test('A code that doesn’t work says why, and a full program has a waiting list', async ({
  page,
  site,
  signIn,
}) => {
  const { id, sponsor } = await createProgram(site, 'Small', 1);
  const code = await createCode(site, id, sponsor);
  const first = await createSomeone(site, 'owner', 'First Shop');
  const seat = await takeSeat(site, first, code);
  await page.goto('/purchase?code=OLIVE-22222');
  await expect(title(page)).toHaveText('We don’t know this code');
  await checkBothThemes(page, 'failure');
  await checkWidth(page, 320);
  const second = await createSomeone(site, 'owner', 'Second Shop');
  await signIn(page, second.email);
  await page.goto(`/purchase?code=${code}`);
  await expect(title(page)).toHaveText('All seats are taken');
  await page.getByRole('button', { name: 'Join the waiting list' }).click();
  await expect(title(page)).toHaveText('You’re on the waiting list');
  const there = page.url();

  await signIn(page, first.email);
  await page.goto(`/purchase/success?seat=${seat}`);
  await expect(title(page)).toHaveText('First Shop has a seat in Small');
  await page.goto('/dashboard/programs');
  await page.getByRole('button', { name: 'Leave the program' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the program' }).click();
  await expect(page.getByText('Passed on')).toBeVisible();
  await page.goto(`/purchase/success?seat=${seat}`);
  await expect(title(page)).toHaveText('Your seat in Small has ended');

  // The next in line hears of it and takes it.
  await signIn(page, second.email);
  await page.goto(there);
  await page.goto(site.linkIn(await site.mail(second.email, /A seat in Small is free for you/)));
  await expect(title(page)).toHaveText('A seat in Small');
  await agree(page);
  await expect(title(page)).toHaveText('Second Shop has a seat in Small');
});

test('An admin gives seats, changes what a program says, names a sponsor and passes on a seat', async ({
  page,
  site,
  signIn,
}) => {
  await signIn(page, 'admin');
  await page.goto('/admin/programs');
  await page.getByRole('button', { name: 'Give seats' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Autumn');
  await dialog.getByLabel('Who pays').fill('A lender');
  await dialog.getByLabel('Reason').fill('A pilot');
  await checkBothThemes(page, 'give seats');
  await dialog.getByRole('button', { name: 'Create the program' }).click();
  await expect(title(page)).toHaveText('Autumn');
  await page.getByLabel('Postal codes').fill('871, 870');
  await page
    .getByLabel('What owners agree to')
    .fill('A lender pays for this seat. They see totals and no business.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version 2.')).toBeVisible();
  const sponsor = newAddress('sponsor');
  await page.getByLabel('Email', { exact: true }).fill(sponsor);
  await page.getByRole('button', { name: 'Add a sponsor' }).click();
  await expect(page.getByRole('button', { name: `Remove ${sponsor}` })).toBeVisible();
  await site.mail(sponsor, /Autumn on/);
  await page.getByLabel('Email addresses').fill('ann@example.com');
  await page.getByRole('button', { name: 'Send the invitations' }).click();
  await expect(page.getByText('One invitation is on the way.')).toBeVisible();
  await site.mail('ann@example.com', /has a seat for your business/);
  await page.reload();
  await page.getByRole('button', { name: 'Free it seat 1' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('A typo');
  await page.getByRole('dialog').getByRole('button', { name: 'Free the seat' }).click();
  await expect(page.getByText('Seat 1 is free.', { exact: true })).toBeVisible();
  await checkBothThemes(page, 'admin program');
  await checkWidth(page, 320);
  await page.goto('/admin/programs');
  await expect(page.getByRole('link', { name: 'Autumn' })).toBeVisible();
  await checkBothThemes(page, 'admin programs');
});
