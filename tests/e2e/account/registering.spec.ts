import type { Page } from '@playwright/test';
import {
  CHOSEN_PASSWORD,
  chooseFirstPassword,
  confirmFromMail,
  createMember,
  fillRegistration,
  newAddress,
  registerByForm,
  signInHere,
  typeRegistration,
  useAnswers,
} from '../support/account-steps.ts';
import { CUT, expect, type Site, test } from '../support/harness.ts';
import { ATTEMPT } from '../support/quiz-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('A visitor registers with a business and confirms from the email', async ({ page, site }) => {
  const email = newAddress('rosa');
  await page.goto('/register');
  await typeRegistration(page, email, 'short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Use at least 10 characters.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('password1234');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('too easy to guess')).toBeVisible();
  // The input is still there.
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await page.getByLabel('Password', { exact: true }).fill(CHOSEN_PASSWORD);
  await page.getByLabel('Business name').fill('Marsh Bakery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused();

  const link = site.linkIn(await site.mail(email, /confirm/i));
  await page.goto(link);
  // Opening the link alone does nothing, because an email scanner may open it first.
  await page.reload();
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome, Rosa' })).toBeVisible();
  await expect(page.getByText('Marsh Bakery').first()).toBeVisible();

  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(page.getByText('This link no longer works')).toBeVisible();
});

test('A taken address gets the same answer, and its owner an email', async ({ page, site }) => {
  await page.goto('/register');
  await fillRegistration(page, 'owner2@demo.test');
  const mail = await site.mail('owner2@demo.test', /already have a Trellis account/i);
  expect(mail.text).not.toContain('token_hash');
});

test('Signing in before confirming looks like a wrong password', async ({ page }) => {
  for (const email of [newAddress('late'), 'coach@demo.test']) {
    await page.goto('/register');
    await fillRegistration(page, email);
    await expect(page.getByRole('button', { name: /Send it again/ })).toBeDisabled();
    await page.goto('/login');
    await signInHere(page, email, CHOSEN_PASSWORD);
    await expect(page.getByText('email and password don’t match')).toBeVisible();
    await expect(page.getByText('Haven’t confirmed your email yet?')).toBeVisible();
    // The error message says that there must be a minute between two emails.
    await page.getByRole('button', { name: 'Send it again' }).click();
    await expect(page.getByText('Wait a minute before you ask for another')).toBeVisible();
  }
});

test('Confirming in another browser replaces the password', async ({ page, site, elsewhere }) => {
  const email = newAddress('stranger');
  await page.goto('/register');
  await fillRegistration(page, email);

  const other = await elsewhere(null);
  await confirmFromMail(other, site, email);
  await other.waitForURL((url) => url.pathname === '/update-password');
  // People who put it off are reminded on the account page.
  await other.goto('/dashboard/profile/security');
  await other.getByRole('link', { name: 'Choose a password' }).click();
  await chooseFirstPassword(other);
  await other.waitForURL((url) => url.pathname === '/dashboard/profile/security');

  await page.goto('/login');
  await signInHere(page, email, CHOSEN_PASSWORD);
  await expect(page.getByText('email and password don’t match')).toBeVisible();
  await signInHere(page, email, 'chosen-on-the-telephone');
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

/** Stores a first look's answers in a browser, as the quiz does for a visitor. */
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

test('A visitor’s answers follow to another device', async ({ page, site, elsewhere }) => {
  const email = newAddress('devices');
  await page.goto('/register?next=/dashboard/projects');
  await answerAsVisitor(page);
  await page.reload();
  await expect(page.getByText('Your quiz answers from this browser will come')).toBeVisible();
  await fillRegistration(page, email);

  const other = await elsewhere(null);
  await confirmFromMail(other, site, email);
  await chooseFirstPassword(other);
  await expect(other).toHaveURL(/\/dashboard\/projects$/);
  await expect(other.getByText('8 questions were answered in that browser')).toBeVisible();
  // If the user dismisses it, the next page asks again.
  await other.keyboard.press('Escape');
  await other.goto('/dashboard/skills');
  await useAnswers(other, /^Use these answers\?$/);
  await expect(other).toHaveURL(ATTEMPT);
  await other.goto('/dashboard');
  await expect(other.getByText('answered 8 of 32 questions')).toBeVisible();
});

test.describe('In another time zone', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  /** Backdates an account's sessions to 8:15 PM UTC on November 20. */
  async function dateSessions({ sql }: Site, email: string) {
    await sql`
      update auth.sessions set created_at = '2026-11-20T20:15:00Z'
      where user_id = (select id from auth.users where email = ${email})`;
  }

  test('A new person reads times on their own clock, in mail too', async ({ page, site }) => {
    const email = await registerByForm(page, site, 'asha');
    await dateSessions(site, email);
    await page.goto('/dashboard/profile');
    await expect(page.getByLabel('Time zone')).toHaveValue(
      'Kolkata, India Standard Time (GMT+5:30)',
    );
    await page.goto('/dashboard/profile/security');
    await expect(page.getByText('Signed in on Nov 21, 2026, 1:45 AM')).toBeVisible();

    await page.goto('/dashboard/profile/data');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByLabel('Your password').fill(CHOSEN_PASSWORD);
    await page.getByRole('button', { name: 'Delete in 30 days' }).click();
    const mail = await site.mail(email, /delete your account on/);
    expect(mail.text).toMatch(/Until \d{1,2}:\d\d [AP]M IST that day/);
  });

  test('An account keeps its time zone until its owner changes it', async ({ page, site }) => {
    const email = newAddress('zone');
    await createMember(site.sql, { email, fullName: 'Asha Rao' });
    await page.goto('/login');
    await signInHere(page, email);
    await page.waitForURL((url) => url.pathname === '/dashboard');
    await dateSessions(site, email);
    await page.goto('/dashboard/profile');
    const zone = page.getByLabel('Time zone');
    await expect(zone).toHaveValue(/^Denver, Mountain Time \(GMT-[67]\)$/);
    await zone.fill('Atlantis');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Choose a time zone from the list, such as Denver.')).toBeVisible();
    await zone.fill('Apia');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
    await expect(zone).toHaveValue('Apia, Samoa Standard Time (GMT+13)');
    await page.getByRole('button', { name: 'Use this browser’s time zone' }).click();
    await expect(zone).toHaveValue('Kolkata, India Standard Time (GMT+5:30)');
    // It's not saved, so times are still those of the zone before.
    await page.goto('/dashboard/profile/security');
    await expect(page.getByText('Signed in on')).toContainText('Nov 21, 2026, 9:15 AM');
  });
});
