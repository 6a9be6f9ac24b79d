import type { Page } from '@playwright/test';
import { demoPassword } from '#backend/local/demo/demo.ts';
import { connect } from '../fixtures/connection.ts';
import {
  chooseFirstPassword,
  confirmFromMail,
  fillRegistration,
  newAddress,
  PASSWORD,
  register,
  registerByForm,
  signInHere,
  typeRegistration,
  useAnswers,
} from './support/account-steps.ts';
import { expect, type Site, test } from './support/harness.ts';
import { ATTEMPT } from './support/quiz-steps.ts';

// A refusal is an answer of 4xx, which the browser writes into its console by itself, as it does a
// connection that a story cuts.
test.use({
  expectedConsole:
    /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_CONNECTION_FAILED)/,
});

test('A visitor registers with a business, confirms from the mail and lands on the dashboard', async ({
  page,
  site,
}) => {
  const email = newAddress('rosa');
  await page.goto('/register');
  await typeRegistration(page, email, 'short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Use at least 10 characters.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('password1234');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('too easy to guess')).toBeVisible();
  // What was typed is still there.
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Business name').fill('Marsh Bakery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();

  const link = site.linkIn(await site.mail(email, /confirm/i));
  await page.goto(link);
  // Opening the link alone does nothing: a scanner of mail may have done it before.
  await page.reload();
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome, Rosa' })).toBeVisible();
  await expect(page.getByText('Marsh Bakery').first()).toBeVisible();

  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(page.getByText('This link no longer works')).toBeVisible();
});

test('Registering with a taken address gives the same answer, and its owner a mail', async ({
  page,
  site,
}) => {
  await page.goto('/register');
  await fillRegistration(page, 'owner2@demo.test');
  const mail = await site.mail('owner2@demo.test', /already have an account/i);
  expect(mail.text).not.toContain('token_hash');
});

test('Signing in before confirming looks like a taken address, and both offer the mail again', async ({
  page,
}) => {
  for (const email of [newAddress('late'), 'coach@demo.test']) {
    await page.goto('/register');
    await fillRegistration(page, email);
    await expect(page.getByRole('button', { name: /Send it again/ })).toBeDisabled();
    await page.goto('/login');
    await signInHere(page, email);
    await expect(page.getByText('do not fit together')).toBeVisible();
    await expect(page.getByText('Haven’t confirmed your address yet?')).toBeVisible();
    // A minute must lie between two mails: the answer says so in words.
    await page.getByRole('button', { name: 'Send it again' }).click();
    await expect(page.getByText('Wait a minute before you ask for another one')).toBeVisible();
  }
});

test('Who confirms in another browser chooses a password, and the one of the registration is gone', async ({
  page,
  browser,
  site,
}) => {
  const email = newAddress('stranger');
  await page.goto('/register');
  await fillRegistration(page, email);

  const telephone = await browser.newContext({ baseURL: site.url });
  const other = await telephone.newPage();
  await confirmFromMail(other, site, email);
  await other.waitForURL((url) => url.pathname === '/update-password');
  // People who leave it for later are told so where the account is.
  await other.goto('/dashboard/profile');
  await other.getByRole('link', { name: 'Choose a password' }).click();
  await chooseFirstPassword(other);
  await other.waitForURL((url) => url.pathname === '/dashboard/profile');
  await telephone.close();

  await page.goto('/login');
  await signInHere(page, email);
  await expect(page.getByText('do not fit together')).toBeVisible();
  await signInHere(page, email, 'chosen-on-the-telephone');
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

/** Leaves the answers of a first look in a browser, as the quiz does for a visitor. */
async function answerAsVisitor(page: Page) {
  const { publishableKey } = await (await page.request.get('/app-config.json')).json();
  const asked = await page.request.post('/rest/v1/rpc/get_quiz', {
    headers: { apikey: publishableKey },
    data: {},
  });
  const quiz = await asked.json();
  const now = new Date().toISOString();
  const kept = {
    version_id: quiz.id,
    kind: 'first_look',
    answers: quiz.questions
      .filter((question: { first_look: boolean }) => question.first_look)
      .map(({ key }: { key: string }) => ({
        question_key: key,
        value: 3,
        applies: true,
        answered_at: now,
      })),
    confidences: [],
    updated_at: now,
  };
  expect(kept.answers).toHaveLength(8);
  await page.evaluate(
    (text) => localStorage.setItem('trellis-visitor-answers', text),
    JSON.stringify(kept),
  );
}

test('What a visitor answered follows them to the device on which they open the mail', async ({
  page,
  browser,
  site,
}) => {
  const email = newAddress('devices');
  await page.goto('/register');
  await answerAsVisitor(page);
  await page.reload();
  await expect(page.getByText('Your quiz answers from this browser come with you.')).toBeVisible();
  await fillRegistration(page, email);

  const telephone = await browser.newContext({ baseURL: site.url });
  const other = await telephone.newPage();
  await confirmFromMail(other, site, email);
  await chooseFirstPassword(other);
  await expect(other.getByText('8 questions were already answered in that browser')).toBeVisible();
  // Left for later, it's asked again on the next page.
  await other.keyboard.press('Escape');
  await other.goto('/dashboard/skills');
  await useAnswers(other, /^Use these answers\?$/);
  await expect(other).toHaveURL(ATTEMPT);
  await other.goto('/dashboard');
  await expect(other.getByText('8 of 32 questions are answered')).toBeVisible();
  await telephone.close();
});

test('After signing in, the answers of this browser are asked for and then forgotten', async ({
  page,
  site,
}) => {
  await register(page, site, 'asked');
  await page.goto('/dashboard');
  await answerAsVisitor(page);
  await page.reload();
  await useAnswers(page, /^Use the answers from this browser\?$/);
  await expect(page).toHaveURL(ATTEMPT);
  await page.goto('/dashboard');
  await expect(page.getByText('8 of 32 questions are answered')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('trellis-visitor-answers'))).toBeNull();
});

test.describe('In another time zone', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  /** Lets the sessions of an account have begun at 8:15 in the evening of November 20, UTC. */
  async function dateSessions(site: Site, email: string) {
    const sql = connect(site.databaseUrl, 1);
    await sql`
      update auth.sessions set created_at = '2026-11-20T20:15:00Z'
      where user_id = (select id from auth.users where email = ${email})`;
    await sql.end();
  }

  test('Someone who registers reads times on their own clock from the first page on, and in mails', async ({
    page,
    site,
  }) => {
    const email = await registerByForm(page, site, 'asha');
    await dateSessions(site, email);
    await page.goto('/dashboard/profile');
    await expect(page.getByLabel('Time zone')).toHaveValue(
      'Kolkata, India Standard Time (GMT+5:30)',
    );
    await expect(page.getByText('Signed in on Nov 21, 2026, 1:45 AM')).toBeVisible();

    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Delete in 30 days' }).click();
    const mail = await site.mail(email, /will be deleted on/);
    expect(mail.text).toMatch(/Until \d{1,2}:\d\d [AP]M IST that day/);
  });

  test('An account without a time zone takes that of the browser it signs in with', async ({
    page,
    site,
  }) => {
    const sql = connect(site.databaseUrl, 1);
    await sql`
      update public.profiles set time_zone = null
      where user_id = (select id from auth.users where email = 'coach2@demo.test')`;
    await sql.end();
    await page.goto('/login');
    await signInHere(page, 'coach2@demo.test', demoPassword);
    await page.waitForURL((url) => url.pathname === '/dashboard/coaching');
    await dateSessions(site, 'coach2@demo.test');
    await page.goto('/dashboard/profile');
    await expect(page.getByText('Signed in on Nov 21, 2026, 1:45 AM')).toBeVisible();
  });

  test('An account that has a time zone keeps it, and its owner chooses another one', async ({
    page,
    site,
  }) => {
    await page.goto('/login');
    await signInHere(page, 'coach@demo.test', demoPassword);
    await page.waitForURL((url) => url.pathname === '/dashboard/coaching');
    await dateSessions(site, 'coach@demo.test');
    await page.goto('/dashboard/profile');
    const zone = page.getByLabel('Time zone');
    await expect(zone).toHaveValue(/^Denver, Mountain Time \(GMT-[67]\)$/);
    const when = page.getByText('Signed in on');
    await expect(when).toContainText('Nov 20, 2026, 1:15 PM');

    await zone.fill('Atlantis');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Choose a time zone from the list, such as Denver.')).toBeVisible();
    await zone.fill('Apia');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
    await expect(zone).toHaveValue('Apia, Samoa Standard Time (GMT+13)');
    // What is on the page already follows.
    await expect(when).toContainText('Nov 21, 2026, 9:15 AM');

    await page.getByRole('button', { name: 'Use this browser’s time zone' }).click();
    await expect(zone).toHaveValue('Kolkata, India Standard Time (GMT+5:30)');
  });
});
