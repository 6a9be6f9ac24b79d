import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startJobs } from '#backend/local/jobs.ts';
import { type Deliver, mailJobs } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { type MailServer, startMailServer } from '../../../fixtures/mail-server.ts';
import { command } from '../engine/process.ts';
import { openSite } from '../gateway/site.ts';
import { brand, prepareOutbox } from './outbox.ts';

const outbox = prepareOutbox();
let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

const send = () => outbox.sendTo(server.url);
const states = async () => (await outbox.rows()).map(({ state }) => state);
const tries = async () => (await outbox.rows()).reduce((sum, { attempts }) => sum + attempts, 0);

const within = (pause: unknown, seconds: number) => {
  expect(pause).toBeGreaterThanOrEqual(seconds * 0.9 - 2);
  expect(pause).toBeLessThanOrEqual(seconds * 1.1 + 2);
};

describe('A mail that was not taken', () => {
  test('for now is tried for two days, after ever longer pauses, and then stops with its reason', async () => {
    server.answer({ 'RCPT TO': '452 mailbox full' });
    await outbox.queueMany(1);
    for (const [hours, pause] of [
      [0, 30],
      [1 / 120, 60],
      [0.25, 930],
      [5, 3600],
      [47.9, 3600],
    ] as const) {
      if (hours > 0) await outbox.failingFor(hours);
      expect(await send()).toBe(0);
      const [row] = await outbox.rows();
      expect(row).toMatchObject({ state: 'waiting', awaits_service: false });
      expect(row?.last_error).toContain('452 mailbox full');
      within(row?.pause, pause);
      // It isn't due yet, so nothing is sent.
      const before = server.connections();
      await send();
      expect(server.connections()).toBe(before);
    }
    await outbox.failingFor(48.1);
    expect(await send()).toBe(0);
    expect((await outbox.rows())[0]).toMatchObject({ state: 'failed', attempts: 6 });
    expect(outbox.logged.at(-1)).toContain('npm run jobs -- failed');
  });

  test.each([
    ['RCPT TO', '550 no such person'],
    ['END', '554 this looks like spam'],
    ['MAIL FROM', '552 too large'],
  ])('for good stops right away (%s: %s), and holds up no other', async (when, answer) => {
    server.answer({ [when]: answer });
    await outbox.queueMany(2);
    expect(await send()).toBe(0);
    expect(await states()).toEqual(['failed', 'failed']);
    expect((await outbox.rows())[0]?.last_error).toContain(answer);
    expect(outbox.logged.join('\n')).toContain(answer);
  });

  test.each([
    ['CONNECT', '554 we do not talk to you'],
    ['CONNECT', '421 too busy'],
    ['MAIL FROM', '530 authentication required'],
    ['MAIL FROM', '550 this sender is not ours'],
    ['RCPT TO', '535 wrong password'],
    ['RCPT TO', '421 closing'],
  ])(
    'because of our settings or the server’s state (%s: %s) waits with all others',
    async (when, answer) => {
      server.answer({ [when]: answer });
      await outbox.queueMany(100);
      expect(await send()).toBe(0);
      expect(server.connections()).toBe(1);
      const rows = await outbox.rows();
      for (const row of rows) expect(row).toMatchObject({ state: 'waiting', awaits_service: true });
      expect(await tries()).toBe(1);
      expect(rows[99]?.last_error).toContain(answer);
      for (const { pause } of rows) within(pause, 30);
    },
  );
});

describe('While the mail server is away', () => {
  test('two hundred mails cost one try, and all go out once it takes one', async () => {
    const MAILS = 200;
    await server.close();
    await outbox.queueMany(MAILS);
    expect(await send()).toBe(0);
    await outbox.failingFor(47);
    expect(await send()).toBe(0);
    expect(await tries()).toBe(2);
    expect(new Set(await states())).toEqual(new Set(['waiting']));

    server = await startMailServer();
    // Only one of them is due. On their own, the others would wait for up to an hour.
    await outbox.database.sql`
      update private.jobs set run_at = now() where payload ->> 'to' = 'person7@example.com'`;
    expect(await send()).toBe(MAILS);
    const ids = server.received.map((mail) => /^Message-ID: .*/m.exec(mail)?.[0]);
    expect(new Set(ids).size).toBe(MAILS);
  });

  test('for two days, everything stops and says so; replayed, it goes out', async () => {
    await server.close();
    await outbox.queueMany(20);
    await outbox.failingFor(49);
    expect(await send()).toBe(0);
    expect(new Set(await states())).toEqual(new Set(['failed']));
    expect(outbox.logged.at(-1)).toContain('20 failed for good');

    server = await startMailServer();
    expect(await send()).toBe(0);
    await outbox.database.sql`select private.replay_jobs(null)`;
    expect(await send()).toBe(20);
  });

  test('a link that has ended in the meantime is not sent any more, also when it is replayed', async () => {
    const { sql } = outbox.database;
    await server.close();
    await outbox.queueMany(3);
    await sql`
      update private.jobs set expires_at = now() + interval '1 hour'
      where payload ->> 'to' <> 'person3@example.com'`;
    await send();
    await outbox.failingFor(50);
    await send();
    await sql`
      update private.jobs set expires_at = now() where payload ->> 'to' = 'person1@example.com'`;
    server = await startMailServer();
    await sql`select private.replay_jobs(null)`;
    expect(await send()).toBe(2);
    expect((await outbox.rows())[0]).toMatchObject({ state: 'dropped', data: {} });
  });
});

test('A mailed link or code says how long it is good for', async () => {
  const site = await openSite();
  const email = 'soon@example.com';
  await site.person(email);
  await site.aMinutePasses();
  await site.browser().auth.resetPasswordForEmail(email);
  await site.browser().auth.signInWithOtp({ email });
  const mails = await site.sql`
    select distinct template, round(extract(epoch from expires_at - created_at))::int as seconds
    from private.mails order by 1`;
  await site.close();
  expect(mails).toEqual(
    ['confirm', 'email-code', 'recovery'].map((template) => ({ template, seconds: 3600 })),
  );
});

test('An operator lists what has stopped, and sends it again', async () => {
  const env = { DATABASE_URL: outbox.database.url };
  const jobs = (...words: string[]) => command('/nowhere', ['jobs', ...words], env);
  expect((await jobs('failed')).stdout).toBe('No failed jobs.\n');
  await outbox.queueMany(2);
  server.answer({ 'RCPT TO': '550 no such person' });
  await send();
  const [first] = await outbox.rows();
  const { stdout } = await jobs('failed');
  expect(stdout).toContain(first?.id);
  expect(stdout).toContain('mail person1@example.com newsletter-welcome');
  expect(stdout).toContain('550 no such person');
  const [replayed, again, nothing] = await Promise.allSettled([
    jobs('replay', first?.id),
    jobs('replay', crypto.randomUUID()),
    jobs('replay'),
  ]);
  expect(replayed).toMatchObject({ value: { stdout: expect.stringMatching(/^1 job will run/) } });
  expect(again).toMatchObject({ reason: { stderr: 'There’s no failed job with this id.\n' } });
  expect(nothing).toMatchObject({ reason: { stderr: expect.stringMatching(/^Say what to do/) } });
  expect((await jobs('replay', 'all')).stdout).toMatch(/^1 job will run/);
  server.answer({});
  expect(await send()).toBe(2);
});

test('A clock that is put back keeps no mail waiting: one that failed, one that a dead sender had, or a new one', async () => {
  const { sql } = outbox.database;
  await outbox.queueMany(3);
  await sql`
    update private.jobs
    set run_at = now() + interval '3 days', failing_since = now() + interval '3 days'
    where payload ->> 'to' = 'person1@example.com'`;
  await sql`
    update private.jobs set state = 'running', run_at = now() + interval '3 days'
    where payload ->> 'to' = 'person2@example.com'`;
  await sql`
    update private.jobs
    set run_at = now() + interval '3 days', created_at = now() + interval '3 days'
    where payload ->> 'to' = 'person3@example.com'`;
  server.answer({ 'RCPT TO': '450 later' });
  expect(await send()).toBe(0);
  for (const { pause } of await outbox.rows()) within(pause, 30);
});

test('An email that is planned for tomorrow waits until then', async () => {
  const { sql } = outbox.database;
  await outbox.queueMany(1);
  await sql`update private.jobs set run_at = now() + interval '1 day' where kind = 'mail'`;
  expect(await send()).toBe(0);
  expect(await outbox.rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
});

describe('A mail server that says nothing', () => {
  test.each(['CONNECT', 'EHLO', 'RCPT TO', 'END'])(
    'after %s doesn’t hold up closing, and its mail is the next sender’s, under the same id',
    async (when) => {
      server.answer({ [when]: '' });
      await outbox.queueMany(1);
      const connected = server.nextConnection();
      const smtp = smtpDelivery(server.url, brand);
      const kind = mailJobs({ brand, deliver: smtp.deliver, keep: false });
      const { db, url: databaseUrl } = outbox.database;
      const kinds = [kind];
      const jobs = await startJobs({ db, databaseUrl, kinds, log: outbox.log });
      await connected;
      // If this waited for the mail server, the test would time out.
      await jobs.close();
      smtp.close();
      const [row] = await outbox.rows();
      expect(row).toMatchObject({ state: 'waiting', attempts: 1 });

      server.answer({});
      expect(await send()).toBe(1);
      expect(server.received[0]).toContain(`Message-ID: <${row?.id}@127.0.0.1>`);
      expect(outbox.logged).toEqual([]);
    },
    30_000,
  );

  test('is given up after a while, and the other mails wait with the one that it holds', async () => {
    await outbox.queueMany(2);
    const given: AbortSignal[] = [];
    const never: Deliver = (_mail, signal) =>
      new Promise((_resolve, reject) => {
        given.push(signal);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const closing = new AbortController();
    const round = outbox.send(never, { signal: closing.signal });
    await expect.poll(() => given.length).toBe(1);
    closing.abort();
    expect(await round).toBe(0);
    // The order of emails queued at the same time is undefined.
    expect((await outbox.rows()).map(({ attempts }) => attempts).toSorted()).toEqual([0, 1]);
  });
});

test('A mail that was taken is not sent again because the database was away when that was to be written down', async () => {
  await outbox.queueMany(1);
  let times = 0;
  const deliver: Deliver = async () => {
    times += 1;
    await outbox.database.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
  };
  expect(await outbox.send(deliver)).toBe(1);
  expect(times).toBe(1);
  expect((await outbox.rows())[0]).toMatchObject({ state: 'done' });
});
