import {
  confirmFromMail,
  fillRegistration,
  newAddress,
  useAnswers,
} from '../support/account-steps.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { CUT, expect, goOffline, holdScripts, test } from '../support/harness.ts';
import {
  ATTEMPT,
  answerTheRest,
  finishQuiz,
  heading,
  pressAndGoOn,
  quizIsLive,
  startLink,
  startQuiz,
} from '../support/quiz-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

const FIRST_LOOK = '/pages/business-skills-quiz';
/** The script with what comes after the questions. */
const ENDING = /\/Ending\.[^/]+\.js$/;

test('A visitor takes the first look, registers, and finishes the quiz', async ({ page, site }) => {
  await page.goto(FIRST_LOOK);
  await quizIsLive(page);
  for (const key of ['2', '1', '3', '4', 'x', '0', '2', '3']) await pressAndGoOn(page, key);

  await expect(page.getByText('First look', { exact: true }).first()).toBeVisible();
  const table = page.getByRole('table', { name: 'First look' });
  await expect(table.getByRole('row', { name: /Sales and marketing 100 Strong/ })).toBeVisible();
  await expect(table.getByRole('row', { name: /Business planning – Doesn’t apply/ })).toBeVisible();
  await expect(page.getByText('What to work on first')).toBeVisible();
  const toWorkOn = page.getByRole('region', { name: 'People management' });
  const preview = toWorkOn.getByRole('link');
  await expect(preview).toHaveAttribute('href', /^\/toolbox\/[a-z-]+$/);
  const tool = (await preview.textContent()) ?? '';

  await page.getByRole('link', { name: 'Create an account to save your results' }).click();
  const email = newAddress('rosa');
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await useAnswers(page, /^Use the answers from this browser\?$/);
  await page.waitForURL(ATTEMPT);
  // First the saved result, and from there the full quiz.
  await expect(page.getByText('A first look, not a full result')).toBeVisible();
  await expect(page.getByRole('row', { name: /Sales and marketing 100 Strong/ })).toBeVisible();
  // The database recommends the tool that the preview did.
  await expect(page.getByRole('link', { name: tool, exact: true })).toBeVisible();
  await page.getByRole('link', { name: /^Answer the other \d+ questions$/ }).click();
  await page.waitForURL(ATTEMPT);
  await quizIsLive(page);
  await page.getByText('All questions', { exact: true }).click();
  const map = page.getByRole('navigation', { name: 'All questions' });
  await expect(map.getByRole('button', { name: /^Question .*: answered$/ })).toHaveCount(8);
  expect(await page.evaluate(() => localStorage.getItem('trellis-visitor-answers'))).toBeNull();

  await heading(page).focus();
  await answerTheRest(page, '2');
  await finishQuiz(page);
  await expect(page).toHaveTitle(/Your results/);
  await expect(page.getByText('Sales and marketing').first()).toBeVisible();
});

for (const { when, held, loaded } of [
  { when: 'before the scripts are there', held: '**/*.js', loaded: null },
  // The island's own scripts have run then, but it isn't hydrated.
  { when: 'while the last script loads', held: '**/client.*.js', loaded: '**/QuizScreen.*.js' },
]) {
  test(`The first question can be answered ${when}`, async ({ page }) => {
    const release = await holdScripts(page, held);
    const script = loaded && page.waitForResponse(loaded);
    await page.goto(FIRST_LOOK, { waitUntil: 'commit' });
    if (script) await (await script).finished();
    await startLink(page).click();
    await page.getByRole('radio').nth(3).check();
    release();
    await quizIsLive(page);
    await expect(page.getByRole('radio').nth(3)).toBeChecked();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.reload();
    await quizIsLive(page);
    await expect(page.getByText('2 of 8')).toBeVisible();
  });
}

test('A visitor answers offline, comes back, and takes the full quiz', async ({ page }) => {
  await page.goto(FIRST_LOOK);
  await quizIsLive(page);
  // What comes after the questions loads with the first answer.
  const ending = page.waitForResponse(ENDING);
  await pressAndGoOn(page, '3');
  await (await ending).finished();
  await goOffline(page);
  for (let i = 0; i < 7; i += 1) await pressAndGoOn(page, '3', true);
  await expect(page.getByRole('heading', { name: 'A sketch of your eight skills' })).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'A sketch of your eight skills' })).toBeVisible();
  await page.getByRole('button', { name: 'Change an answer' }).click();
  await expect(page.getByRole('radio').nth(3)).toBeChecked();
  await page.goto('/dashboard/skills/quiz');
  await quizIsLive(page);
  // The first look has already answered the first question of the first area.
  await expect(page.getByText('2 of 4')).toBeVisible();
  await answerTheRest(page, '4');
  await finishQuiz(page);
  await expect(page.getByRole('heading', { name: 'Your eight skills' })).toBeVisible();
  await expect(
    page.getByRole('link', { name: 'Create an account to save your results' }),
  ).toBeVisible();
});

test('A visitor who loses the connection at the first answer gets the result', async ({ page }) => {
  await page.goto(FIRST_LOOK);
  await quizIsLive(page);
  await goOffline(page);
  for (let i = 0; i < 8; i += 1) await pressAndGoOn(page, '3', true);
  await expect(heading(page)).toHaveText('One moment');
  await expect(heading(page)).toBeFocused();
  await page.context().setOffline(false);
  await expect(heading(page)).toHaveText('A sketch of your eight skills');
  await expect(heading(page)).toBeFocused();
});

test('A visitor gets the result after a reload if it couldn’t be loaded', async ({ page }) => {
  await page.route(ENDING, (route) => route.abort());
  await page.goto(FIRST_LOOK);
  await quizIsLive(page);
  for (let i = 0; i < 8; i += 1) await pressAndGoOn(page, '3', true);
  await page.unroute(ENDING);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(heading(page)).toHaveText('A sketch of your eight skills');
});

test('Every step is read by axe in both themes and fits a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const isForEveryone = async (step: string) => {
    await checkBothThemes(page, step);
    await checkWidth(page);
  };
  await page.goto(FIRST_LOOK);
  await page.locator('#quiz[data-live]').waitFor();
  await isForEveryone('the intro');
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await pressAndGoOn(page, '2');
  await page.getByText('All questions', { exact: true }).click();
  await isForEveryone('a question with the map');
  await heading(page).focus();
  for (let i = 0; i < 7; i += 1) await pressAndGoOn(page, String(i % 5));
  await isForEveryone('the preview');
  await page.goto('/dashboard/skills/quiz');
  await quizIsLive(page);
  for (let i = 0; i < 3; i += 1) await pressAndGoOn(page, '2');
  await expect(heading(page)).toHaveText('How confident are you in these answers?');
  await isForEveryone('the confidence');
  await pressAndGoOn(page, '4');
  await expect(heading(page)).toHaveText(/: done$/);
  await expect(page.getByText(/^Your answers put it at \d+ out of 100\.$/)).toBeVisible();
  await isForEveryone('the rest between areas');
  await answerTheRest(page, '3');
  await isForEveryone('the review');
  await page.getByRole('button', { name: 'Finish and see your results' }).click();
  await expect(page.getByText(/^Your strongest skill is .+ work on first is .+\.$/)).toBeVisible();
  await isForEveryone('the whole bloom');
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Your eight skills');
});

test('A person with an open quiz brings this browser’s first look in', async ({ page, site }) => {
  await startQuiz(page, site, 'bring');
  await page.goto(FIRST_LOOK);
  await quizIsLive(page);
  for (let i = 0; i < 8; i += 1) await pressAndGoOn(page, '3', true);
  await page.getByRole('link', { name: 'Save these results to my account' }).click();
  await expect(page.getByText('8 questions were answered here')).toBeVisible();
  await page.getByRole('button', { name: 'Use them' }).click();
  await page.waitForURL(ATTEMPT);
  await page.getByRole('link', { name: /^Answer the other \d+ questions$/ }).click();
  await quizIsLive(page);
  await page.getByText('All questions', { exact: true }).click();
  await expect(page.getByRole('button', { name: /^Question .*: answered$/ })).toHaveCount(8);
});

test('What a person chose before adding a business continues after it', async ({ page, site }) => {
  await page.goto(FIRST_LOOK);
  await quizIsLive(page);
  for (let i = 0; i < 8; i += 1) await pressAndGoOn(page, String(i % 4));
  await page.getByRole('link', { name: 'Create an account to save your results' }).click();
  const email = newAddress('chosen');
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await useAnswers(page, /^Use the answers from this browser\?$/);
  const project = page.getByRole('link', { name: /^Work on this/ }).first();
  const href = (await project.getAttribute('href')) ?? '';
  const chosen = new URL(href, site.url).searchParams;

  // Every page that needs a business has a form for it, and shows what it's for afterward.
  await page.goto(href);
  await expect(page.getByLabel('Business name')).toBeEditable();
  for (const start of [
    `/dashboard/coaching?areas=${chosen.get('area')}`,
    '/dashboard/toolbox?item=role-sheet',
    '/dashboard/businesses',
  ]) {
    await page.goto(start);
    await expect(page.locator('main').getByLabel('Business name')).toBeVisible();
  }
  // What was chosen before comes next, wherever the business is named.
  const created = page.waitForResponse('**/rest/v1/rpc/create_business');
  await page.getByLabel('Business name').fill('Marsh Bakery');
  expect((await created).ok()).toBe(true);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/projects/new');
  expect(new URL(page.url()).searchParams.get('action')).toBe(chosen.get('action'));
  await expect(page.getByText('From your quiz')).toBeVisible();
  await expect(page.getByLabel('Title')).not.toHaveValue('');

  await page.goto('/dashboard');
  const glance = page.getByRole('region', { name: 'Skills at a glance' });
  await expect(glance.getByText('First look', { exact: true })).toBeVisible();
  await expect(glance.getByRole('row', { name: /Starting/ }).first()).toBeVisible();
  await expect(page.getByText('Marsh Bakery').first()).toBeVisible();
});
