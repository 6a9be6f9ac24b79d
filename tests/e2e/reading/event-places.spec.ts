import { checkBothThemes } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

// A form that's refused, and a link that leads nowhere.
test.use({ expectedConsole: /status of (404|422)/ });

const WORKSHOP = '/events/monthly-workshop-albuquerque';

test('A visitor takes a place, confirms it by email and cancels it; the next in line gets it', async ({
  page,
  site,
}) => {
  await site.sql`
    update public.events set places = 1
    where slug = 'what-a-lender-looks-at'`;
  await page.goto('/events/what-a-lender-looks-at');
  await expect(page.getByText('1 of 1 places left')).toBeVisible();
  await checkBothThemes(page);
  await page.getByLabel('Your name').fill('Wanda Wilder');
  await page.getByLabel('Email').fill('wanda@example.test');
  await page.getByLabel(/What would you like/).fill('Whether my file is good enough.');
  await page.getByRole('button', { name: 'Save your place' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  await page.goto('/events/what-a-lender-looks-at');
  await expect(page.getByText('Full: join the waiting list')).toBeVisible();
  await page.getByLabel('Your name').fill('Nick Next');
  await page.getByLabel('Email').fill('nick@example.test');
  await page.getByRole('button', { name: 'Save your place' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const waiting = await site.mail('nick@example.test', /You’re on the waiting list/);
  expect(waiting.text).toContain('You’re number 1');

  const held = await site.mail('wanda@example.test', /Confirm your place/);
  await page.goto(site.linkIn(held));
  await expect(page.getByText(/We’re holding a place for you/)).toBeVisible();
  await checkBothThemes(page);
  await page.getByRole('button', { name: 'Confirm my place' }).click();
  await expect(page.getByText('You have a place.')).toBeVisible();
  const taken = await site.mail('wanda@example.test', /You have a place/);
  await page.goto(site.linkIn(taken));
  const calendar = await page.request.get(
    (await page.getByRole('link', { name: 'Add to your calendar' }).getAttribute('href')) ?? '',
  );
  expect(await calendar.text()).toContain('STATUS:CONFIRMED');
  await page.getByRole('button', { name: 'Cancel my place' }).click();
  await expect(page.getByText(/because you canceled it/)).toBeVisible();

  const offer = await site.mail('nick@example.test', /A place is free/);
  await page.goto(site.linkIn(offer));
  await page.getByRole('button', { name: 'Take the place' }).click();
  await expect(page.getByText('You have a place.')).toBeVisible();
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor reads what to fix next to the field, and takes a place', async ({
    page,
    site,
  }) => {
    await page.goto(WORKSHOP);
    await page.getByLabel('Your name').fill('Paula Plain');
    // Browsers accept this address, and we don't.
    await page.getByLabel('Email').fill('paula@example');
    await page.getByRole('button', { name: 'Save your place' }).click();
    await expect(page.getByText('An email address looks like name@example.com.')).toBeVisible();
    await expect(page.getByLabel('Your name')).toHaveValue('Paula Plain');
    await page.getByLabel('Email').fill('paula@example.test');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const held = await site.mail('paula@example.test', /Confirm your place/);
    await page.goto(site.linkIn(held));
    await page.getByRole('button', { name: 'Confirm my place' }).click();
    await expect(page.getByText('You have a place.')).toBeVisible();
  });
});

test.describe('Signed in', () => {
  test.use({ as: 'owner' });

  test('an owner finds their name in the form, and their place on the dashboard', async ({
    page,
  }) => {
    await page.goto(WORKSHOP);
    await expect(page.getByLabel('Your name')).toHaveValue('Maria Delgado');
    await expect(page.getByLabel('Email')).toHaveValue('owner@demo.test');
    await page.goto('/dashboard');
    const events = page.getByRole('region', { name: 'Coming up' });
    await expect(events).toContainText('You have a place.');
    await events.getByRole('link', { name: /Cash and pricing/ }).click();
    await expect(page.getByText('You have a place.')).toBeVisible();
  });
});

test('A link that doesn’t exist is a page that isn’t found', async ({ page }) => {
  const answer = await page.goto(`/confirm/place/${'0'.repeat(64)}`);
  expect(answer?.status()).toBe(404);
});
