import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, test } from '../support/harness.ts';
import { ATTEMPT } from '../support/quiz-steps.ts';

test.use({ as: 'owner', expectedConsole: CUT });

test('An owner reads results, swaps an area, and works on one', async ({
  page,
  site,
  elsewhere,
}) => {
  // The demo's owner has a project in most areas; those two stay free.
  await site.sql`
    update public.projects set area_key = null
    where area_key in ('financial-projection', 'web-design')`;
  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'What it means and what to do' }).click();
  await expect(page.getByRole('heading', { name: 'Your results', level: 1 })).toBeVisible();
  await awake(page);
  const scores = page.getByRole('region', { name: 'Scores' });
  await expect(scores.getByRole('img', { name: /Flower chart of 8 skills/ })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Eight skills' }).getByRole('row');
  await expect(rows).toHaveCount(9);
  for (const row of (await rows.all()).slice(1)) {
    await expect(row).toHaveText(/\d+\s*(Starting|Developing|Established|Strong)$/);
  }
  await expect(page.getByText('out of 100 overall')).toBeVisible();
  await expect(page.getByText(/Worth retaking after/)).toBeVisible();
  // The report opens with a sentence, the strongest skill, what holds the business back most and the next step.
  const short = page.getByRole('region', { name: 'In short' });
  await expect(
    short.getByText(/scores \d+ out of 100: it’s strongest in .+ and held back most by/),
  ).toBeVisible();
  await expect(short.getByRole('term')).toHaveText([
    'The strongest skill',
    'What holds it back most',
    'The next step',
  ]);
  await expect(page.getByText(/^Ranked first of eight: \d+ points to gain/)).toBeVisible();
  const area = page.getByRole('region', { name: 'Financial projection', exact: true });
  await expect(area.getByText(/^(Furthest along is|The best start is on)/)).toBeVisible();
  await expect(area.getByText('Next step up')).toBeVisible();
  await area.getByText('All 4 answers').click();
  await expect(area.getByText(/\(\d of 4\)/).first()).toBeVisible();
  await checkAccessibility(page);

  const plain = await elsewhere('owner', { javaScriptEnabled: false });
  await plain.goto(page.url());
  await expect(plain.getByRole('table', { name: 'Eight skills' })).toBeVisible();
  const advice = (each: typeof page) => each.getByRole('region', { name: 'What to work on' });
  await expect(advice(plain).getByRole('heading', { level: 3 })).toHaveCount(3);

  // If the connection is lost, the swap is reverted, and can be retried.
  const recommended = advice(page).getByRole('heading', { level: 3 });
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  await page.route('**/rpc/swap_recommendation', async (route) => {
    await lost;
    await route.abort('connectionfailed');
  });
  const before = (await recommended.first().textContent()) ?? '';
  await page.getByRole('button', { name: `Swap ${before} for another area` }).click();
  const offered = page.getByRole('dialog').getByRole('listitem').first().getByRole('button');
  const after = (await offered.locator('strong').textContent()) ?? '';
  await offered.click();
  await expect(page.getByRole('button', { name: `Swap ${after} for another area` })).toBeFocused();
  lose();
  await expect(page.getByText('We couldn’t swap the area', { exact: true })).toBeVisible();
  await expect(recommended.first()).toHaveText(before);
  await page.unroute('**/rpc/swap_recommendation');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(recommended.first()).toHaveText(after);
  await expect(page.getByText('Your choice')).toBeVisible();
  // The database chooses the tool, so once that's displayed, the swap is stored.
  const first = advice(page).getByRole('listitem').first();
  await expect(first.locator('a[href*="/dashboard/toolbox?item="]')).toBeVisible();
  await page.reload();
  await expect(recommended.first()).toHaveText(after);
  await expect(recommended.filter({ hasText: before })).toHaveCount(0);

  await expect(advice(page).getByText('You’re working on this.').first()).toBeVisible();
  const work = advice(page).getByRole('link', { name: /^Work on this/ });
  await work.first().click();
  await page.waitForURL((url) => url.pathname === '/dashboard/projects/new');
  await expect(page.getByLabel('Steps')).not.toBeEmpty();

  // Earlier attempts keep their results.
  await page.goto('/dashboard/skills/over-time');
  const attempts = page.getByRole('table', { name: 'Quizzes, newest first' }).getByRole('row');
  await expect(attempts).toHaveCount(5);
  await attempts.nth(3).getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Your results' })).toBeVisible();
  await expect(page.getByText(/^An earlier result\. The latest is from/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Swap/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'See the latest' }).click();
  await expect(page.getByText('An earlier result')).toHaveCount(0);

  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'Take it early' }).click();
  await expect(page.getByText(/^You took it on .+ That result stays/)).toBeVisible();
});

test('A first look says that it is one, and the open quiz is resumed', async ({ page, signIn }) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/skills');
  await expect(page.getByText(/\d+ of 32 questions answered/)).toBeVisible();
  await page.getByRole('link', { name: 'Continue the quiz', exact: true }).click();
  await expect(page).toHaveURL(ATTEMPT);
  await page.goto('/dashboard/skills/over-time');
  const look = page.getByRole('row', { name: /First look/ });
  await look.getByRole('link').click();
  await expect(page.getByText('A first look, not a full result')).toBeVisible();
  await expect(page.getByText(/Worth retaking/)).toHaveCount(0);
  await page.getByRole('link', { name: /^Answer the other \d+ questions$/ }).click();
  await expect(page).toHaveURL(/\/dashboard\/skills\/quiz/);
});

test('Only those who can read results get them as a PDF', async ({ page, elsewhere }) => {
  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'What it means and what to do' }).click();
  const link = page.getByRole('link', { name: 'One-page PDF' });
  const address = (await link.getAttribute('href')) ?? '';
  const mine = await page.request.get(address);
  expect(mine.status()).toBe(200);
  expect(mine.headers()).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': 'private, no-store',
  });
  expect((await mine.body()).subarray(0, 5).toString()).toBe('%PDF-');
  // The coach whom the owner shares results with reads them, another coach and owner don't.
  const coach = await elsewhere('coach');
  expect((await coach.request.get(address)).status()).toBe(200);
  for (const who of ['owner2', 'coach2', 'admin', 'sponsor']) {
    const other = await elsewhere(who);
    expect([who, (await other.request.get(address)).status()]).toEqual([who, 404]);
  }
  const visitor = await elsewhere(null);
  await visitor.goto(address);
  await expect(visitor.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('Results print on two pages, on US Letter and on A4', async ({ page }) => {
  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'What it means and what to do' }).click();
  await awake(page);
  for (const format of ['Letter', 'A4']) {
    // What browsers leave free by default.
    const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' };
    const pdf = (await page.pdf({ format, margin })).toString('latin1');
    expect([format, pdf.match(/\/Type \/Page\b/g)?.length]).toEqual([format, 2]);
  }
});
