import postgres from 'postgres';
import { signInHere } from './support/account-steps.ts';
import { expect, goOffline, loseSession, type Site, test } from './support/harness.ts';
import { silentAxe } from './support/project-steps.ts';
import {
  ATTEMPT,
  answerTheRest,
  CUT,
  heading,
  pressAndGoOn,
  quizIsLive,
  startQuiz,
} from './support/quiz-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** Does to the attempt on this page what only time or an administrator does. */
async function happensTo(site: Site, address: string, what: 'runs out' | 'is voided') {
  const id = address.split('/').at(-1) ?? '';
  const sql = postgres(site.databaseUrl, { max: 1 });
  if (what === 'runs out') {
    await sql`update public.attempts set expires_at = now() - interval '1 minute' where id = ${id}`;
  } else {
    await sql`
      update public.attempts
      set state = 'voided', voided_at = now(), void_reason = 'Taken for a demonstration.'
      where id = ${id}`;
  }
  await sql.end();
}

test('An owner answers on while the connection is cut, and finishing goes on by itself, even over a reload', async ({
  page,
  context,
  site,
}) => {
  await startQuiz(page, site, 'cut');
  await page.keyboard.press('3');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await goOffline(page);
  await page.keyboard.press('1');
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await answerTheRest(page, '2');
  await page.getByRole('button', { name: 'Finish and see the results' }).click();
  await expect(page.getByText(/answers are waiting to be sent/)).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect(heading(page)).toHaveText('We can’t reach the site right now');
  await expect(page.getByRole('listitem')).toHaveText([
    /^\d\d quiz answers$/,
    'Finishing your quiz',
  ]);
  await silentAxe(page);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(page.getByRole('listitem')).toHaveCount(2);
  await context.setOffline(false);
  await expect(page).toHaveTitle(/Your results/);
});

for (const [name, next] of [
  ['the quiz', undefined],
  ['the dashboard', '/dashboard'],
] as const) {
  test(`A tab closed with an unsent answer loses nothing: ${name} sends it`, async ({
    page,
    context,
    site,
  }) => {
    await startQuiz(page, site, next ? 'closed-elsewhere' : 'closed');
    await pressAndGoOn(page, '3');
    await goOffline(page);
    await page.keyboard.press('4');
    await expect(page.getByText('Not sent yet')).toBeVisible();
    const address = page.url();
    await page.close();
    await context.setOffline(false);
    const later = await context.newPage();
    const sent = later.waitForResponse(
      (answer) => answer.url().includes('/rest/v1/answers') && answer.ok(),
    );
    await later.goto(next ?? address);
    await sent;
    await later.goto(address);
    await expect(later.getByText('3 of 4')).toBeVisible();
  });
}

test('An owner goes on on another device, and the first one catches up', async ({
  page,
  browser,
  site,
}) => {
  const email = await startQuiz(page, site, 'two');
  await page.keyboard.press('2');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const telephone = await browser.newContext({ baseURL: site.url });
  const other = await telephone.newPage();
  await other.goto('/login?next=/dashboard/skills/quiz');
  await signInHere(other, email);
  await other.waitForURL(ATTEMPT);
  expect(other.url()).toBe(page.url());
  await quizIsLive(other);
  await expect(other.getByText('2 of 4')).toBeVisible();
  await other.getByRole('button', { name: 'Back' }).click();
  await expect(other.getByRole('radio').nth(2)).toBeChecked();
  await other.keyboard.press('4');
  await expect(other.getByText('Saved', { exact: true })).toBeVisible();

  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('radio').nth(4)).toBeChecked();
  await telephone.close();
});

test.describe('After the end', () => {
  // PostgREST answers a state that does not allow it with 500.
  test.use({ expectedConsole: /the server responded with a status of 500/ });

  test('A finished attempt refuses a late answer and leads to its results', async ({
    page,
    context,
    site,
  }) => {
    await startQuiz(page, site, 'late');
    await pressAndGoOn(page, '3');
    const second = await context.newPage();
    await second.goto(page.url());
    await quizIsLive(second);
    await answerTheRest(second, '2');
    await second.getByRole('button', { name: 'Finish and see the results' }).click();
    await expect(second).toHaveTitle(/Your results/);

    await page.keyboard.press('4');
    await expect(heading(page)).toHaveText('This quiz is closed already');
    await page.getByRole('button', { name: 'See how it stands' }).click();
    await expect(page).toHaveTitle(/Your results/);
  });
});

test('Answers given after the session ended are sent after signing in again', async ({
  page,
  site,
}) => {
  const email = await startQuiz(page, site, 'ended');
  await pressAndGoOn(page, '3');
  await expect(page.getByText('2 of 4')).toBeVisible();
  await loseSession(page);
  await page.keyboard.press('1');
  await expect(page.getByText('You are signed out')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signInHere(page, email);
  await page.waitForURL(ATTEMPT);
  await quizIsLive(page);
  await expect(page.getByText('3 of 4')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
});

test('The quiz is walked with the keyboard alone, and the focus follows', async ({
  page,
  site,
}) => {
  await startQuiz(page, site, 'keys');
  await page.keyboard.press('0');
  await expect(page.getByRole('radio').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await page.keyboard.press('-');
  await expect(page.getByRole('radio', { name: 'Doesn’t apply to us' })).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Back' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
  for (const key of ['1', 'x', '3', '4']) await pressAndGoOn(page, key);
  await expect(heading(page)).toHaveText('How confident are you in these answers?');
  await page.keyboard.press('5');
  await expect(page.getByRole('radio', { name: '5, I could prove it' })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 4')).toBeVisible();
});

test('What was left out is listed before finishing, and leads there', async ({ page, site }) => {
  await startQuiz(page, site, 'left');
  const question = (await heading(page).textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(heading(page)).not.toHaveText(question);
  await answerTheRest(page, '3');
  await expect(heading(page)).toHaveText('31 of 32 answered');
  await page.getByRole('button', { name: question }).click();
  await expect(heading(page)).toHaveText(question);
  await expect(heading(page)).toBeFocused();
});

test('An attempt of somebody else does not exist, as one that never was', async ({
  page,
  browser,
  site,
}) => {
  await startQuiz(page, site, 'mine');
  const mine = new URL(page.url()).pathname;
  const stranger = await browser.newContext({ baseURL: site.url });
  const other = await stranger.newPage();
  await startQuiz(other, site, 'stranger');
  for (const address of [mine, '/dashboard/skills/quiz/0198f0a0-1111-7222-8333-444455556666']) {
    const answer = await other.goto(address);
    expect(answer?.status()).toBe(404);
    await expect(other.getByText(`Page not found: ${address}`)).toBeVisible();
  }
  expect((await other.goto('/dashboard/skills/quiz/mine'))?.status()).toBe(404);
  await stranger.close();
});

test('Signing out in one tab leaves the quiz in the other one', async ({ page, context, site }) => {
  await startQuiz(page, site, 'leaving');
  const second = await context.newPage();
  await second.goto('/dashboard');
  await second.getByRole('button', { name: 'Sign out' }).click();
  await expect(second.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

test('An attempt that has run out says so, and a new one can be started', async ({
  page,
  site,
}) => {
  await startQuiz(page, site, 'expired');
  const first = page.url();
  await happensTo(site, first, 'runs out');
  await page.reload();
  await expect(heading(page)).toHaveText('This quiz has run out');
  await page.getByRole('link', { name: 'Start a new one' }).click();
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.waitForURL(ATTEMPT);
  expect(page.url()).not.toBe(first);
});

test('A result that an administrator set aside gives its reason', async ({ page, site }) => {
  await startQuiz(page, site, 'voided');
  await pressAndGoOn(page, '3');
  await page.getByText('All questions', { exact: true }).click();
  await page.getByRole('button', { name: 'Confidence, Operations and workflows: open' }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Finish and see the results' }).click();
  await expect(page).toHaveTitle(/Your results/);
  await happensTo(site, page.url(), 'is voided');
  await page.reload();
  await expect(heading(page)).toHaveText('This result was set aside');
  await expect(page.getByText('Taken for a demonstration.')).toBeVisible();
});
