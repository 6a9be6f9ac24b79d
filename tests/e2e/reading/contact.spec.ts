import type { Page } from '@playwright/test';
import { CUT, expect, type Site, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

async function fill(page: Page, email: string): Promise<void> {
  await page.getByLabel('Your name').fill('Wren Writer');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('What’s it about?').selectOption('Pricing and buying');
  await page.getByLabel('Message').fill('How much is a pack?');
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' });

/** How many messages from this address are stored. */
async function stored({ sql }: Site, email: string): Promise<number> {
  const [row] = await sql`
    select count(*)::int as times from public.contact_messages m
    join public.contacts c on c.id = m.contact_id where c.email = ${email}`;
  return row?.times;
}

test('A visitor writes to us about prices and reads what happens next', async ({ page, site }) => {
  await page.goto('/contact?topic=pricing');
  await expect(page.getByLabel('What’s it about?')).toHaveValue('pricing');
  await fill(page, 'wren@example.test');
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Your message has arrived' })).toBeVisible();
  expect(await stored(site, 'wren@example.test')).toBe(1);
  await site.mail('wren@example.test', /We have your message/);
  await page.goto('/contact');
  await expect(page.getByLabel('Message')).toHaveValue('');
});

test('What does not fit is said beside its field, by keyboard alone', async ({ page }) => {
  await page.goto('/contact');
  await page.getByLabel('Your name').focus();
  await page.keyboard.type('Wren');
  await page.keyboard.press('Tab');
  await page.keyboard.type('wren at example');
  await page.keyboard.press('Enter');
  await expect(page.getByText('An email address looks like name@example.com.')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByText('Choose a topic.')).toBeVisible();
  await expect(page.getByText('Tell us what you need, in a sentence or two.')).toBeVisible();
});

test('A message whose answer is lost is kept, and stored once', async ({ page, site }) => {
  await page.goto('/contact');
  await fill(page, 'cut@example.test');
  // The response is lost: the server has stored the message, but the browser doesn't know.
  await page.route('**/functions/v1/contact', async (route) => {
    await route.fetch();
    await route.abort('connectionfailed');
  });
  await send(page).click();
  await expect(page.getByText('We couldn’t reach the server, so this wasn’t sent.')).toBeVisible();
  await page.unrouteAll();
  await page.goto('/about');
  await page.goto('/contact');
  await expect(page.getByLabel('Message')).toHaveValue('How much is a pack?');
  await expect(page.getByLabel('Email')).toHaveValue('cut@example.test');
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Your message has arrived' })).toBeVisible();
  expect(await stored(site, 'cut@example.test')).toBe(1);
});

test.describe('Without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('A visitor fixes a field, finds all they typed, and sends it', async ({ page, site }) => {
    await page.goto('/contact');
    await fill(page, 'plain@example');
    await send(page).click();
    await expect(page.getByText('An email address looks like name@example.com.')).toBeVisible();
    await expect(page.getByLabel('Message')).toHaveValue('How much is a pack?');
    await page.getByLabel('Email').fill('plain@example.test');
    await send(page).click();
    await expect(page).toHaveURL(/\/contact\/thanks$/);
    expect(await stored(site, 'plain@example.test')).toBe(1);
  });
});
