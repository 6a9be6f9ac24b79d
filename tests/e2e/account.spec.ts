import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { expect, loseSession, type Site, test } from './harness.ts';

const PASSWORD = 'plum-harbor-lantern';
// A refusal is an answer of 4xx, which the browser writes into its console by itself, as it does a
// connection that a story cuts.
const REFUSED =
  /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_CONNECTION_FAILED)/;

test.use({ expectedConsole: REFUSED });

const newAddress = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`;

async function fillRegistration(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Your name').fill('Rosa Marsh');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Registers and confirms, and stands on the dashboard afterwards. */
async function register(page: Page, site: Site, email: string) {
  await page.goto('/register');
  await fillRegistration(page, email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();
  await page.goto(site.linkIn(await site.mail(email, /confirm/i)));
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
}

async function signInAs(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
}

test('A visitor registers with a business, confirms from the mail and lands on the dashboard', async ({
  page,
  site,
}) => {
  const email = newAddress('rosa');
  await page.goto('/register');
  await fillRegistration(page, email, 'short');
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
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();
  const mail = await site.mail('owner2@demo.test', /already have an account/i);
  expect(mail.text).not.toContain('token_hash');
});

test('An unconfirmed person is told so, and has the mail sent again', async ({ page }) => {
  const email = newAddress('late');
  await page.goto('/register');
  await fillRegistration(page, email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Send it again/ })).toBeDisabled();
  await page.goto('/login');
  await signInAs(page, email);
  await expect(page.getByText('not confirmed yet')).toBeVisible();
  // A minute must lie between two mails: the answer says so in words.
  await page.getByRole('button', { name: 'Send it again' }).click();
  await expect(page.getByText('Wait a minute before you ask for another one')).toBeVisible();
});

test('A wrong password is told beside the field, alike for a known and an unknown address', async ({
  page,
}) => {
  const words = 'This email and password do not fit together.';
  await page.goto('/login');
  await signInAs(page, 'owner@demo.test', 'not-the-password');
  await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('owner@demo.test');
  await page.goto('/login');
  await signInAs(page, newAddress('nobody'), 'not-the-password');
  await expect(page.getByText(words)).toBeVisible();
});

test('A visitor who opens a guarded page signs in and comes back to it', async ({ page }) => {
  await page.goto('/dashboard/businesses?from=mail');
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard%2Fbusinesses%3Ffrom%3Dmail$/);
  await signInAs(page, 'owner@demo.test', 'demo-Passw0rd!');
  await expect(page).toHaveURL(/\/dashboard\/businesses\?from=mail$/);
  // Signed in, the home page and the sign-in page lead on.
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('A link to the sign-in page cannot lead to another site', async ({ page, site }) => {
  await page.goto('/login?next=//evil.example/dashboard');
  await signInAs(page, 'owner@demo.test', 'demo-Passw0rd!');
  await page.waitForURL((url) => url.pathname !== '/login');
  expect(new URL(page.url()).origin).toBe(site.url);
});

test('Someone signs in with a code from the mail', async ({ page, site }) => {
  await page.goto('/login?next=/dashboard/profile');
  await page.getByRole('button', { name: 'Mail me a code instead' }).click();
  await page.getByLabel('Email').fill('coach2@demo.test');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const mail = await site.mail('coach2@demo.test', /is your code/);
  const code = /\d{6}/.exec(mail.subject)?.[0] ?? '';
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('wrong or has expired')).toBeVisible();
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/profile');
});

test('A code for an address without an account is promised alike, and never sent', async ({
  page,
  site,
}) => {
  const email = newAddress('nobody');
  await page.goto('/login');
  await page.getByRole('button', { name: 'Mail me a code instead' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('a mail with six digits is on its way')).toBeVisible();
  expect(await site.mails(email)).toEqual([]);
});

test('A forgotten password is replaced from the mail, and the old one no longer works', async ({
  page,
  site,
}) => {
  const email = newAddress('forgetful');
  await register(page, site, email);
  await signOut(page);
  await page.goto('/recover');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Look in your mail')).toBeVisible();
  await page.goto(site.linkIn(await site.mail(email, /new password/i)));
  await page.getByRole('button', { name: 'Choose a new password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  // The link is spent; what it opened is not.
  await page.reload();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is your present password')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('seven-quiet-rivers');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');

  await signOut(page);
  await page.goto('/login');
  await signInAs(page, email, PASSWORD);
  await expect(page.getByText('do not fit together')).toBeVisible();
  await signInAs(page, email, 'seven-quiet-rivers');
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

test('Whoever is simply signed in gives the present password for a new one', async ({
  page,
  site,
}) => {
  const email = newAddress('left-open');
  await register(page, site, email);
  await signOut(page);
  await page.goto('/login');
  await signInAs(page, email, PASSWORD);
  await page.waitForURL((url) => url.pathname === '/dashboard');

  await page.goto('/update-password');
  await page.getByLabel('New password').fill('whoever-sat-down-here');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter your present password.')).toBeVisible();
  await page.getByLabel('Present password').fill('a-guess-of-a-stranger');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is not your present password.')).toBeVisible();
  await expect(page.getByLabel('New password')).toHaveValue('whoever-sat-down-here');
  await page.getByLabel('Present password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

test('Signing out in one tab signs out all tabs, and nothing private is left', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(page, 'owner');
  const second = await context.newPage();
  await second.goto('/dashboard/profile');
  await expect(second.getByLabel('Your name')).toBeEnabled();
  await expect(second.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  await signOut(page);
  await expect(second).toHaveURL(/\/login$/);
  const held = (await context.cookies()).map(({ name }) => name);
  expect(held.filter((name) => name.startsWith('trellis-session'))).toEqual([]);
  await second.goBack();
  await expect(second).toHaveURL(/\/login/);
});

test('Signing in in one tab takes another one along', async ({ page, context }) => {
  await page.goto('/login?next=/dashboard/profile');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  const second = await context.newPage();
  await second.goto('/login');
  await signInAs(second, 'owner@demo.test', 'demo-Passw0rd!');
  await second.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
});

test('A session that ends while someone types is opened again in place', async ({ page, site }) => {
  await register(page, site, newAddress('typing'));
  await page.goto('/dashboard/profile');
  await page.getByLabel('Your name').fill('Typed and not saved yet');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  await loseSession(page);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Your name')).toHaveValue('Typed and not saved yet');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: /Typed and not saved yet/ })).toBeVisible();
});

test('A form keeps what was typed when the connection is lost, and is sent afterwards', async ({
  page,
  context,
  site,
}) => {
  await register(page, site, newAddress('offline'));
  await page.goto('/dashboard/businesses/new');
  await page.getByLabel('Business name').fill('Marsh Bakery');
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled();
  await page.route('**/rest/v1/rpc/create_business', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('We could not reach the server')).toBeVisible();
  await expect(page.getByLabel('Business name')).toHaveValue('Marsh Bakery');
  await page.unroute('**/rest/v1/rpc/create_business');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('button', { name: /Marsh Bakery/ })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).toContain('trellis-business');
});

test('An owner switches between two businesses, and the choice stays', async ({ page, site }) => {
  await register(page, site, newAddress('two'));
  for (const name of ['Marsh Bakery', 'Marsh Catering']) {
    await page.goto('/dashboard/businesses/new');
    await page.getByLabel('Business name').fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
  }
  await page.getByRole('button', { name: 'Business: Marsh Catering' }).click();
  await page.getByRole('button', { name: 'Marsh Bakery', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Business: Marsh Bakery' })).toBeVisible();
  // On a phone the same stands in the drawer.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard/profile');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Business: Marsh Bakery' }).click();
  await page.getByRole('button', { name: 'Marsh Catering', exact: true }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('button', { name: 'Business: Marsh Catering' })).toBeVisible();
});

test('The wrong role gets 403 and no hint of what is there', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  const answer = await page.goto('/admin');
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'Not for this account' })).toBeVisible();
  await expect(page.getByText('Overview')).toHaveCount(0);
});

test('An admin sees the figures, a coach their clients', async ({ page, signIn }) => {
  await signIn(page, 'admin');
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByText('Businesses', { exact: true }).last()).toBeVisible();
  await signOut(page);
  await signIn(page, 'coach');
  await expect(page).toHaveURL(/\/dashboard\/coaching$/);

  // What is of owners only is not in a coach's way.
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links.first()).toHaveText('Clients');
  await expect(links.filter({ hasText: /^(Home|Skills|Overview)$/ })).toHaveCount(0);
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'About you', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Who you are, if you like to say' })).toHaveCount(
    0,
  );
  await expect(page.getByLabel('Reminders of what I set out to do')).toHaveCount(0);
});

test('The session cookie is what it is specified to be', async ({ page, context, signIn }) => {
  await signIn(page, 'owner');
  const cookies = (await context.cookies()).filter(({ name }) =>
    name.startsWith('trellis-session'),
  );
  expect(cookies.length).toBeGreaterThan(0);
  for (const { path, sameSite, httpOnly, secure, value, expires } of cookies) {
    expect([path, sameSite, httpOnly, secure]).toEqual(['/', 'Lax', false, false]);
    expect(value.length).toBeLessThanOrEqual(3180);
    expect((expires - Date.now() / 1000) / 86_400).toBeCloseTo(400, 0);
  }
});

test('A malformed id is no page, and a signed-out visitor signs in even for a foreign one', async ({
  page,
}) => {
  const malformed = await page.goto('/dashboard/skills/quiz/123');
  expect(malformed?.status()).toBe(404);
  await expect(page.getByText('Page not found: /dashboard/skills/quiz/123')).toBeVisible();
  await page.goto('/dashboard/skills/quiz/0198f0a0-1111-7222-8333-444455556666');
  await expect(page).toHaveURL(/\/login\?next=/);
});

test('Signing out works without scripts', async ({ browser, site }) => {
  const scripted = await browser.newContext({ baseURL: site.url });
  const page = await scripted.newPage();
  await page.goto('/login');
  await signInAs(page, 'owner@demo.test', 'demo-Passw0rd!');
  await page.waitForURL((url) => url.pathname === '/dashboard');
  const plain = await browser.newContext({
    baseURL: site.url,
    javaScriptEnabled: false,
    storageState: await scripted.storageState(),
  });
  const quiet = await plain.newPage();
  await quiet.goto('/logout');
  await quiet.getByRole('button', { name: 'Sign out' }).click();
  await expect(quiet.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  await quiet.goto('/dashboard');
  await expect(quiet).toHaveURL(/\/login\?next=/);
  await Promise.all([scripted.close(), plain.close()]);
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

const IN_A_QUIZ = /\/dashboard\/skills\/quiz\/[0-9a-f-]{36}$/;

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
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();

  const telephone = await browser.newContext({ baseURL: site.url });
  const other = await telephone.newPage();
  await other.goto(site.linkIn(await site.mail(email, /confirm/i)));
  await other.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(other).toHaveURL(IN_A_QUIZ);
  await other.goto('/dashboard');
  await expect(other.getByText('8 of 32 questions are answered')).toBeVisible();
  await telephone.close();
});

test('After signing in, the answers of this browser are asked for and then forgotten', async ({
  page,
  site,
}) => {
  await register(page, site, newAddress('asked'));
  await answerAsVisitor(page);
  await page.reload();
  const question = page.getByRole('dialog', { name: 'Use the answers from this browser?' });
  await question.getByRole('button', { name: 'Use them' }).click();
  await expect(page).toHaveURL(IN_A_QUIZ);
  await page.goto('/dashboard');
  await expect(page.getByText('8 of 32 questions are answered')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('trellis-visitor-answers'))).toBeNull();
});

/** The six digits that an authenticator app shows now (RFC 6238 with its usual settings). */
function totp(secret: string, at = Date.now()): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('Someone with a second factor shows it before any private page', async ({ page, site }) => {
  const email = newAddress('careful');
  await register(page, site, email);
  await signOut(page);
  const config = await (await page.request.get('/app-config.json')).json();
  const device = createClient(config.supabaseUrl, config.publishableKey);
  await device.auth.signInWithPassword({ email, password: PASSWORD });
  const enrolled = await device.auth.mfa.enroll({ factorType: 'totp' });
  const secret = enrolled.data?.type === 'totp' ? enrolled.data.totp.secret : '';
  const shown = await device.auth.mfa.challengeAndVerify({
    factorId: enrolled.data?.id ?? '',
    // The step before, which still counts, so that the sign-in below may use the present one.
    code: totp(secret, Date.now() - 30_000),
  });
  expect(shown.error).toBeNull();

  await page.goto('/dashboard/profile');
  await signInAs(page, email);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  // The password alone opens nothing, by whatever way.
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('not the code that shows now')).toBeVisible();
  await page.getByLabel('Code').fill(totp(secret));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/profile');
  await expect(page.getByLabel('Your name')).toHaveValue('Rosa Marsh');
});
