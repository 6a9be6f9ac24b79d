import { expect, test } from '../support/harness.ts';

test.use({ changesDemo: false });

test('A reader joins the newsletter by email, and leaves by another', async ({ page, site }) => {
  await page.goto('/newsletter');
  await page.getByLabel('Email').fill('reader@example.test');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();

  const mail = await site.mail('reader@example.test', /Confirm your \w+ newsletter/);
  await page.goto(site.linkIn(mail));
  await page.getByRole('button', { name: 'Yes, send it to me' }).click();
  await expect(page.getByRole('heading', { name: 'You’re on the list' })).toBeVisible();

  const welcome = await site.mail('reader@example.test', /You’re subscribed/);
  await page.goto(site.linkIn(welcome));
  await page.getByRole('button', { name: 'Yes, unsubscribe me' }).click();
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible();
});
