import { expect, test } from './support/harness.ts';

test.use({ changesDemo: false });

test('An address on a flyer leads on with the query that somebody came with', async ({
  page,
  request,
}) => {
  const answer = await request.get('/newmexicoworkshops?from=flyer', { maxRedirects: 0 });
  expect(answer.status()).toBe(302);
  expect(answer.headers().location).toBe('/events?from=flyer');
  expect(answer.headers()['cache-control']).toBe('no-store');

  await page.goto('/newmexicoworkshops/?from=flyer');
  await expect(page).toHaveURL(/\/events\?from=flyer$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Events');
});
