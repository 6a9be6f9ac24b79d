import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newsletterJobs } from '#backend/supabase/functions/_shared/jobs/newsletter.ts';
import { runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { withSettings } from '#backend/supabase/functions/_shared/settings.ts';
import newsletter from '#backend/supabase/functions/newsletter/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';
import { type MailServer, startMailServer } from '../../../fixtures/mail-server.ts';
import { brand } from './outbox.ts';

let database: TestDatabase;
let server: MailServer;
let logged: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  logged = [];
  server = await startMailServer();
  const { sql } = database;
  await sql`delete from public.newsletter_deliveries`;
  await sql`delete from public.contacts`;
  await sql`delete from private.jobs where every is null`;
});
afterEach(() => server.close());

/** Subscribes reader1@example.com and so on. */
const subscribe = (count: number) => database.sql`
  insert into public.contacts (email, newsletter, consent_wording, consented_at)
  select format('reader%s@example.com', n), 'subscribed', 'Yes', now()
  from generate_series(1, ${count}) n`;

/** Starts sending an issue to everyone who has subscribed. */
async function begin(): Promise<string> {
  const id = crypto.randomUUID();
  const { sql } = database;
  await sql`
    insert into public.newsletter_issues (id, subject, preview, body)
    values (${id}, 'Bread & butter', 'A preview', 'Some **bold** words.')`;
  await sql`select private.begin_newsletter(${id}, null)`;
  return id;
}

/** Runs the due jobs through the mail server. */
async function send(perMinute = '1000000', signal?: AbortSignal): Promise<number> {
  const smtp = smtpDelivery(server.url, brand);
  const kind = newsletterJobs({ brand, deliver: smtp.deliver, keep: false });
  const log = (line: string) => void logged.push(line);
  const done = await withSettings({ NEWSLETTER_PER_MINUTE: perMinute }, () =>
    runDueJobs(database.db, kind, { log, ...(signal && { signal }) }),
  );
  smtp.close();
  return done;
}

const issue = async (id: string) =>
  (
    await database.sql`
    select state, recipients, delivered, refused from public.newsletter_issues where id = ${id}`
  )[0];
const consents = async () =>
  Object.fromEntries(
    (await database.sql`select email, newsletter from public.contacts order by email`).map(
      ({ email, newsletter: state }) => [email, state],
    ),
  );
const recipients = () =>
  server.received.map((mail) => /^To: <?([^>\r]*)/m.exec(mail)?.[1]).toSorted();
/** An email's text, without the line breaks that the transfer added. */
const unfolded = (mail = '') => mail.replace(/=\r\n/g, '').replace(/=3D/g, '=');
const makeDue = () =>
  database.sql`
    with deliveries as (update public.newsletter_deliveries set run_at = now() where state = 'waiting')
    update private.jobs set run_at = now() where kind = 'send_newsletter' and state <> 'done'`;

test('Everyone who has subscribed gets it once, with a link of their own that unsubscribes', async () => {
  await subscribe(3);
  const id = await begin();
  await database.sql`
    insert into public.contacts (email, newsletter) values ('asked@example.com', 'pending')`;
  expect(await send()).toBe(1);
  expect(recipients()).toEqual([1, 2, 3].map((n) => `reader${n}@example.com`));
  expect(await issue(id)).toEqual({ state: 'sent', recipients: 3, delivered: 3, refused: 0 });
  expect(await send()).toBe(0);

  const mail = unfolded(server.received[0]);
  expect(mail).toContain('Subject: Bread & butter');
  expect(mail).toContain('<strong>bold</strong>');
  expect(mail).toContain('/newsletter/bread-butter');
  expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const links = server.received.map((each) =>
    /newsletter\?leave=([0-9a-f]{64})/.exec(unfolded(each)),
  );
  expect(new Set(links.map((link) => link?.[1])).size).toBe(3);
  // Once it's sent, only the hash is kept.
  const [kept] = await database.sql`
    select count(leave_secret)::int as secrets, count(leave_hash)::int as hashes
    from public.newsletter_deliveries where issue_id = ${id}`;
  expect(kept).toEqual({ secrets: 0, hashes: 3 });
});

test('One click unsubscribes, as RFC 8058 has it; opening the address only leads to the page', async () => {
  await subscribe(2);
  await begin();
  await send();
  const mail = unfolded(server.received.find((each) => each.includes('reader2@')));
  const address = /^List-Unsubscribe: <([^>]*)>/m.exec(mail.replace(/\r\n\s+/g, ' '))?.[1] ?? '';
  const settings = {
    SUPABASE_DB_URL: database.url,
    SUPABASE_SECRET_KEY: 'sb_secret_test',
    SITE_URL: brand.siteUrl,
  };
  const call = (init: RequestInit) =>
    withSettings(settings, () => newsletter.fetch(new Request(address, init)));

  const opened = await call({ method: 'GET' });
  expect(opened.status).toBe(303);
  expect(opened.headers.get('location')).toBe(
    address.replace('/functions/v1/newsletter?leave=', '/newsletter#leave='),
  );
  expect(await consents()).toMatchObject({ 'reader2@example.com': 'subscribed' });

  const clicked = await call({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(clicked.status).toBe(200);
  expect(await consents()).toEqual({
    'reader1@example.com': 'subscribed',
    'reader2@example.com': 'left',
  });
});

test('Whoever leaves while it’s being sent doesn’t get it', async () => {
  await subscribe(3);
  const id = await begin();
  await database.sql`
    update public.contacts set newsletter = 'left' where email = 'reader1@example.com'`;
  await database.sql`delete from public.contacts where email = 'reader2@example.com'`;
  await send();
  expect(recipients()).toEqual(['reader3@example.com']);
  expect(await issue(id)).toEqual({ state: 'sent', recipients: 3, delivered: 1, refused: 0 });
});

describe('An address that a mail server refuses', () => {
  test('because there’s no such mailbox gets no more issues', async () => {
    await subscribe(2);
    server.answer({ 'RCPT TO:<READER1@': '550 5.1.1 no such person' });
    const id = await begin();
    await send();
    expect(await issue(id)).toMatchObject({ state: 'sent', delivered: 1, refused: 1 });
    expect(await consents()).toEqual({
      'reader1@example.com': 'bounced',
      'reader2@example.com': 'subscribed',
    });
    const [refused] = await database.sql`
      select last_error from public.newsletter_deliveries where state = 'refused'`;
    expect(refused?.last_error).toContain('no such person');
    const next = await begin();
    expect(await issue(next)).toMatchObject({ recipients: 1 });
  });

  test('like every other one still exists: everyone waits until the mail server takes emails again', async () => {
    await subscribe(15);
    server.answer({ 'RCPT TO': '550 5.1.1 no such person' });
    const id = await begin();
    await send();
    expect(await issue(id)).toMatchObject({ state: 'sending', delivered: 0, refused: 0 });
    expect(new Set(Object.values(await consents()))).toEqual(new Set(['subscribed']));
    const [job] = await database.sql`
      select last_error, awaits_service from private.jobs where kind = 'send_newsletter'`;
    expect(job).toEqual({
      last_error: expect.stringMatching(/refuses every address.*no such person/),
      awaits_service: true,
    });
    server.answer({ 'RCPT TO:<READER1@': '550 5.1.1 no such person' });
    await makeDue();
    await send();
    expect(await issue(id)).toMatchObject({ state: 'sent', delivered: 14, refused: 1 });
    expect(await consents()).toMatchObject({ 'reader1@example.com': 'bounced' });
  });

  test('with nobody left to compare it with is gone', async () => {
    await subscribe(1);
    server.answer({ 'RCPT TO': '550 5.1.1 no such person' });
    await begin();
    await send();
    expect(await consents()).toEqual({ 'reader1@example.com': 'bounced' });
  });

  test.each([
    ['RCPT TO', '550 5.7.1 relaying denied'],
    ['END', '554 this looks like spam'],
  ])('for another reason stays subscribed (%s: %s)', async (when, answer) => {
    await subscribe(2);
    server.answer({ [when]: answer });
    const id = await begin();
    await send();
    expect(await issue(id)).toMatchObject({ state: 'sent', delivered: 0, refused: 2 });
    expect(Object.values(await consents())).toEqual(['subscribed', 'subscribed']);
  });

  test('for now is tried again later, for two days', async () => {
    await subscribe(2);
    server.answer({ 'RCPT TO:<READER1@': '450 greylisted' });
    const id = await begin();
    await send();
    expect(await issue(id)).toMatchObject({ state: 'sending', delivered: 1, refused: 0 });
    await database.sql`
      update public.newsletter_deliveries set failing_since = now() - interval '49 hours'
      where state = 'waiting'`;
    await makeDue();
    await send();
    expect(await issue(id)).toMatchObject({ state: 'sent', delivered: 1, refused: 1 });
    expect(await consents()).toMatchObject({ 'reader1@example.com': 'subscribed' });
  });
});

test('While the mail server is away, everyone waits, and nobody gets it twice', async () => {
  await subscribe(3);
  const id = await begin();
  server.answer({ 'RCPT TO:<READER': '421 closing' });
  expect(await send()).toBe(0);
  expect(await issue(id)).toMatchObject({ state: 'sending', delivered: 0 });
  expect(server.connections()).toBe(1);
  server.answer({});
  await makeDue();
  await send();
  expect(recipients()).toEqual([1, 2, 3].map((n) => `reader${n}@example.com`));
});

test('Stopped, it goes to nobody else; continued, to those who don’t have it', async () => {
  await subscribe(5);
  const id = await begin();
  const closing = new AbortController();
  const sending = send('600', closing.signal);
  await expect.poll(() => server.received.length).toBeGreaterThan(1);
  await database.sql`update public.newsletter_issues set state = 'stopped' where id = ${id}`;
  await sending;
  const before = server.received.length;
  expect(before).toBeLessThan(5);
  await send();
  expect(server.received).toHaveLength(before);
  await database.sql`update public.newsletter_issues set state = 'sending' where id = ${id}`;
  await database.sql`
    insert into private.jobs (kind, payload)
    values ('send_newsletter', ${database.sql.json({ issue_id: id })})`;
  await send();
  expect(recipients()).toEqual([1, 2, 3, 4, 5].map((n) => `reader${n}@example.com`));
});

test('Two workers at the same time send it once', async () => {
  await subscribe(30);
  const id = await begin();
  await database.sql`
    insert into private.jobs (kind, payload)
    values ('send_newsletter', ${database.sql.json({ issue_id: id })})`;
  await Promise.all([send(), send(), send()]);
  expect(new Set(recipients()).size).toBe(30);
  expect(server.received).toHaveLength(30);
  expect(await issue(id)).toMatchObject({ state: 'sent', delivered: 30 });
});

test('No more emails go out in a minute than the setting says', async () => {
  await subscribe(4);
  await begin();
  const begun = performance.now();
  await send('600');
  // A tenth of a second each, and the last one needs no pause after it.
  expect(performance.now() - begun).toBeGreaterThan(300);
  expect(server.received).toHaveLength(4);
});

test('A site that doesn’t send email keeps it for the mailbox', async () => {
  await subscribe(2);
  await begin();
  const kind = newsletterJobs({ brand, deliver: async () => {}, keep: true });
  await runDueJobs(database.db, kind, { log: () => {} });
  const mails = await database.sql`
    select to_address, subject, body_text, html from private.mails order by to_address`;
  expect(mails).toMatchObject([
    { to_address: 'reader1@example.com', subject: 'Bread & butter' },
    { to_address: 'reader2@example.com' },
  ]);
  expect(mails[0]?.body_text).toContain('Unsubscribe:\nhttp://127.0.0.1:4321/newsletter#leave=');
});
