import type { Page } from '@playwright/test';
import { SEEN_FOR } from '#features/quiz/advance.ts';
import { signInHere } from '../support/account-steps.ts';
import { checkAccessibility, checkBothThemes } from '../support/axe.ts';
import {
  CUT_FROM_WORKER,
  expect,
  goOffline,
  loseSession,
  type Site,
  test,
} from '../support/harness.ts';
import {
  ATTEMPT,
  answerTheRest,
  finishQuiz,
  heading,
  pressAndGoOn,
  quizIsLive,
  startQuiz,
} from '../support/quiz-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT_FROM_WORKER });

/** Chooses one of a question's answers without going on: the keyboard's way. */
const choose = (page: Page, value: number) => page.getByRole('radio').nth(value).press('Space');

/** Waits until the page would have gone on after a tap, plus a little. */
const hasTimeToAdvance = (page: Page) =>
  page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), SEEN_FOR + 100);

/** Expires or voids this page's attempt, which otherwise takes time or an admin. */
async function happensTo({ sql }: Site, address: string, what: 'runs out' | 'is voided') {
  const id = address.split('/').at(-1) ?? '';
  if (what === 'runs out') {
    await sql`update public.attempts set expires_at = now() - interval '1 minute' where id = ${id}`;
  } else {
    await sql`
      update public.attempts
      set state = 'voided', voided_at = now(), void_reason = 'Taken for a demonstration.'
      where id = ${id}`;
  }
}

test('An owner finishes the quiz offline, over a reload', async ({ page, context, site }) => {
  await startQuiz(page, site, 'cut');
  await page.keyboard.press('d');
  await expect(page.getByText('2 of 4')).toBeVisible();
  await goOffline(page);
  await choose(page, 1);
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await answerTheRest(page, '2');
  await page.getByRole('button', { name: 'Finish and see your results' }).click();
  await expect(page.getByText(/answers are waiting to be sent/)).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect(heading(page)).toHaveText('We can’t reach the site right now');
  await expect(page.getByRole('listitem')).toHaveText([
    /^\d\d quiz answers$/,
    'Finishing your quiz',
  ]);
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(page.getByRole('listitem')).toHaveCount(2);
  await context.setOffline(false);
  await expect(page).toHaveTitle(/Your results/);
});

test('Answers are sent even if their first one was given offline', async ({ page, site }) => {
  const url = /\/(?:supabase|attempts)\.[^/]+\.js$/;
  await page.route(url, (route) => route.abort());
  await startQuiz(page, site, 'tunnel');
  await goOffline(page);
  await page.unroute(url);
  await choose(page, 3);
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
});

test('An owner continues on another device', async ({ page, site, elsewhere }) => {
  const email = await startQuiz(page, site, 'two');
  await choose(page, 2);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const other = await elsewhere(email);
  await other.goto('/dashboard/skills/quiz');
  await other.waitForURL(ATTEMPT);
  expect(other.url()).toBe(page.url());
  await quizIsLive(other);
  await expect(other.getByText('2 of 4')).toBeVisible();
  await other.getByRole('button', { name: 'Back' }).click();
  await expect(other.getByRole('radio').nth(2)).toBeChecked();
  await choose(other, 4);
  await expect(other.getByText('Saved', { exact: true })).toBeVisible();

  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('radio').nth(4)).toBeChecked();
});

test('Answers given after the session ended are sent after sign-in', async ({ page, site }) => {
  const email = await startQuiz(page, site, 'ended');
  await pressAndGoOn(page, '3');
  await expect(page.getByText('2 of 4')).toBeVisible();
  await loseSession(page);
  await choose(page, 1);
  await expect(page.getByText('You’re signed out')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signInHere(page, email);
  await page.waitForURL(ATTEMPT);
  await quizIsLive(page);
  await expect(page.getByText('3 of 4')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
});

test('An owner takes the quiz with the keyboard, and the focus follows', async ({ page, site }) => {
  await startQuiz(page, site, 'keys');
  await page.keyboard.press('a');
  await expect(page.getByRole('radio').first()).toBeFocused();
  // Arrow keys choose too, and nobody who uses them is moved on.
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
  await hasTimeToAdvance(page);
  await expect(page.getByText('1 of 4')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 of 4')).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await page.keyboard.press('-');
  await expect(page.getByText('3 of 4')).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Back' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: 'Doesn’t apply to us' })).toBeChecked();
  await page.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
  for (const key of ['1', 'x', '3', '4']) await pressAndGoOn(page, key);
  await expect(heading(page)).toHaveText('How confident are you in these answers?');
  // The space bar chooses without going on; so do arrow keys.
  await page.getByRole('radio', { name: '5, I could prove it' }).press('Space');
  await hasTimeToAdvance(page);
  await expect(page.getByRole('radio', { name: '5, I could prove it' })).toBeChecked();
  await page.keyboard.press('4');
  await expect(heading(page)).toHaveText(/: done$/);
  await expect(heading(page)).toBeFocused();
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await expect(page.getByText('1 of 4')).toBeVisible();
});

test('An owner who works alone skips people management with one answer', async ({ page, site }) => {
  await startQuiz(page, site, 'alone');
  await pressAndGoOn(page, '3');
  await page.getByText('All questions', { exact: true }).click();
  const map = page.getByRole('navigation', { name: 'All questions' });
  await map.getByRole('button', { name: 'Yes or no, People management: not answered' }).click();
  await expect(heading(page)).toHaveText('Does anyone work with you?');
  await expect(heading(page)).toBeFocused();
  await checkBothThemes(page, 'the question that skips an area');

  await heading(page).focus();
  await page.keyboard.press('n');
  await expect(heading(page)).toHaveText('How does a sale or an expense get into your books?');
  await expect(heading(page)).toBeFocused();
  await expect(map.getByRole('button', { name: /People management: answered/ })).toHaveCount(6);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText(/^You answered no/)).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  // A yes leads to the questions, and a no again to the area after them.
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(heading(page)).toHaveText('How does everyone know what they’re responsible for?');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await expect(heading(page)).toHaveText('How does a sale or an expense get into your books?');

  await map.getByRole('button', { name: 'Confidence, Operations and workflows: not' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await finishQuiz(page);
  await expect(page).toHaveTitle(/Your results/);
  const scores = page.getByRole('table', { name: 'Eight skills' });
  await expect(
    scores.getByRole('row', { name: /People management – Doesn’t apply/ }),
  ).toBeVisible();
  await expect(page.getByText('Your answer to “Does anyone work with you?” was no')).toBeVisible();
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

test('An expired attempt says so, and a new one can be started', async ({ page, site }) => {
  await startQuiz(page, site, 'expired');
  const first = page.url();
  await happensTo(site, first, 'runs out');
  await page.reload();
  await expect(heading(page)).toHaveText('This quiz has expired');
  await page.getByRole('link', { name: 'Start a new one' }).click();
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.waitForURL(ATTEMPT);
  expect(page.url()).not.toBe(first);
});

test('A result that an administrator set aside gives its reason', async ({ page, site }) => {
  await startQuiz(page, site, 'voided');
  await pressAndGoOn(page, '3');
  await page.getByText('All questions', { exact: true }).click();
  await page
    .getByRole('button', { name: 'Confidence, Operations and workflows: not answered' })
    .click();
  await page.keyboard.press('Enter');
  await finishQuiz(page);
  await expect(page).toHaveTitle(/Your results/);
  await happensTo(site, page.url(), 'is voided');
  await page.reload();
  await expect(heading(page)).toHaveText('This result was set aside');
  await expect(page.getByText('Taken for a demonstration.')).toBeVisible();
});
