import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startJobs } from '#backend/local/jobs.ts';
import { type Deliver, mailJobs } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { createTestDatabase, type TestDatabase } from '../../fixtures/database.ts';
import { type MailServer, startMailServer } from '../../fixtures/mail-server.ts';
import { openSite } from './gateway-site.ts';

const brand: MailBrand = {
  product: 'Trellis',
  organisation: 'Trellis Business Coaching',
  email: 'hello@trellis.example',
  siteUrl: 'http://127.0.0.1:4321',
};

let database: TestDatabase;
let server: MailServer;
let logged: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`delete from private.jobs where kind = 'mail'`;
  server = await startMailServer();
  logged = [];
});
afterEach(() => server.close());

const queue = (count = 1) => database.sql`
  select private.send_mail(format('person%s@example.com', n), 'newsletter-welcome', '{"path": "/newsletter#leave=x"}')
  from generate_series(1, ${count}) n`;

const outbox = () => database.sql`
  select *, round(extract(epoch from run_at - now()))::int as pause
  from private.mails order by created_at, to_address`;

/** Everything that waits is due now, and has failed for so long. */
const failingFor = (hours: number) => database.sql`
  update private.jobs
  set run_at = now(), failing_since = now() - make_interval(secs => ${hours * 3600})
  where kind = 'mail' and state = 'waiting'`;

async function send(): Promise<number> {
  const smtp = smtpDelivery(server.url, brand);
  const log = (line: string) => logged.push(line);
  const { deliver } = smtp;
  const sent = await runDueJobs(database.db, mailJobs({ brand, deliver, keep: false }), { log });
  smtp.close();
  return sent;
}

const within = (pause: unknown, seconds: number) => {
  expect(pause).toBeGreaterThanOrEqual(seconds * 0.9 - 2);
  expect(pause).toBeLessThanOrEqual(seconds * 1.1 + 2);
};

describe('A mail that was not taken', () => {
  test('for now is tried for two days, after ever longer pauses, and then stops with its reason', async () => {
    server.answer({ 'RCPT TO': '452 mailbox full' });
    await queue();
    for (const [hours, pause] of [
      [0, 30],
      [1 / 120, 60],
      [0.25, 930],
      [5, 3600],
      [47.9, 3600],
    ] as const) {
      if (hours > 0) await failingFor(hours);
      expect(await send()).toBe(0);
      const [row] = await outbox();
      expect(row).toMatchObject({ state: 'waiting', awaits_service: false });
      expect(row?.last_error).toContain('452 mailbox full');
      within(row?.pause, pause);
      // Not due yet: nothing happens.
      const before = server.connections();
      await send();
      expect(server.connections()).toBe(before);
    }
    await failingFor(48.1);
    expect(await send()).toBe(0);
    expect((await outbox())[0]).toMatchObject({ state: 'failed', attempts: 6 });
    expect(logged.at(-1)).toContain('npm run jobs -- failed');
  });

  test.each([
    ['RCPT TO', '550 no such person'],
    ['END', '554 this looks like spam'],
    ['MAIL FROM', '552 too large'],
  ])('for good stops at once (%s: %s), and holds up no other', async (command, answer) => {
    server.answer({ [command]: answer });
    await queue(2);
    expect(await send()).toBe(0);
    const rows = await outbox();
    expect(rows.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(rows[0]?.last_error).toContain(answer);
    expect(logged.join('\n')).toContain(answer);
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
    async (command, answer) => {
      server.answer({ [command]: answer });
      await queue(100);
      expect(await send()).toBe(0);
      expect(server.connections()).toBe(1);
      const rows = await outbox();
      expect(rows.every(({ state, awaits_service }) => state === 'waiting' && awaits_service)).toBe(
        true,
      );
      expect(rows.reduce((tries, row) => tries + row.attempts, 0)).toBe(1);
      expect(rows[99]?.last_error).toContain(answer);
      for (const { pause } of rows) within(pause, 30);
    },
  );
});

describe('While the mail server is away', () => {
  test('a thousand mails cost one try, and all go out once it takes one', async () => {
    await server.close();
    await queue(1000);
    expect(await send()).toBe(0);
    await failingFor(47);
    expect(await send()).toBe(0);
    const waiting = await outbox();
    expect(waiting.reduce((tries, row) => tries + row.attempts, 0)).toBe(2);
    expect(waiting.every(({ state }) => state === 'waiting')).toBe(true);

    server = await startMailServer();
    // Only one of them is due; the others would wait for up to an hour.
    await database.sql`
      update private.jobs set run_at = now() where payload ->> 'to' = 'person7@example.com'`;
    expect(await send()).toBe(1000);
    expect(new Set(server.received.map((mail) => /^Message-ID: .*/m.exec(mail)?.[0])).size).toBe(
      1000,
    );
  });

  test('for two days, everything stops and says so; replayed, it goes out', async () => {
    await server.close();
    await queue(20);
    await failingFor(49);
    expect(await send()).toBe(0);
    expect((await outbox()).every(({ state }) => state === 'failed')).toBe(true);
    expect(logged.at(-1)).toContain('20 failed for good');

    server = await startMailServer();
    expect(await send()).toBe(0);
    await database.sql`select private.replay_jobs(null)`;
    expect(await send()).toBe(20);
  });

  test('a link that has ended in the meantime is not sent any more, also when it is replayed', async () => {
    await server.close();
    await queue(3);
    await database.sql`
      update private.jobs set expires_at = now() + interval '1 hour'
      where payload ->> 'to' <> 'person3@example.com'`;
    await send();
    await failingFor(50);
    await send();
    await database.sql`
      update private.jobs set expires_at = now() where payload ->> 'to' = 'person1@example.com'`;
    server = await startMailServer();
    await database.sql`select private.replay_jobs(null)`;
    expect(await send()).toBe(2);
    expect((await outbox())[0]).toMatchObject({ state: 'dropped', data: {} });
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

test('Whoever runs the server lists what has stopped, and sends it again', async () => {
  const jobs = async (...args: string[]) => {
    const commands = fileURLToPath(import.meta.resolve('#backend/local/commands.ts'));
    const env = { ...process.env, DATABASE_URL: database.url };
    return promisify(execFile)(process.execPath, [commands, 'jobs', ...args], { env });
  };
  expect((await jobs('failed')).stdout).toBe('No failed jobs.\n');
  await queue(2);
  server.answer({ 'RCPT TO': '550 no such person' });
  await send();
  const [first] = await outbox();
  const { stdout } = await jobs('failed');
  expect(stdout).toContain(first?.id);
  expect(stdout).toContain('mail person1@example.com newsletter-welcome');
  expect(stdout).toContain('550 no such person');
  expect((await jobs('replay', first?.id)).stdout).toMatch(/^1 will run/);
  expect((await jobs('replay', 'all')).stdout).toMatch(/^1 will run/);
  await expect(jobs('replay', first?.id)).rejects.toMatchObject({
    stderr: 'There is no failed job with this id.\n',
  });
  await expect(jobs('replay')).rejects.toMatchObject({
    stderr: expect.stringMatching(/^Say what to do/),
  });
  server.answer({});
  expect(await send()).toBe(2);
});

describe('A clock that is put', () => {
  test('back keeps no mail waiting: neither one that failed nor one that a dead sender had', async () => {
    await queue(2);
    await database.sql`
      update private.jobs
      set run_at = now() + interval '3 days', failing_since = now() + interval '3 days'
      where payload ->> 'to' = 'person1@example.com'`;
    await database.sql`
      update private.jobs set state = 'running', run_at = now() + interval '3 days'
      where payload ->> 'to' = 'person2@example.com'`;
    server.answer({ 'RCPT TO': '450 later' });
    expect(await send()).toBe(0);
    for (const { pause } of await outbox()) within(pause, 30);
  });
});

describe('A mail server that says nothing', () => {
  test.each(['CONNECT', 'EHLO', 'RCPT TO', 'END'])(
    'after %s doesn’t hold up closing, and its mail is the next sender’s, under the same id',
    async (command) => {
      server.answer({ [command]: '' });
      await queue();
      const connected = server.nextConnection();
      const smtp = smtpDelivery(server.url, brand);
      const kind = mailJobs({ brand, deliver: smtp.deliver, keep: false });
      const jobs = await startJobs({
        db: database.db,
        databaseUrl: database.url,
        kinds: [kind],
        log: (line) => logged.push(line),
      });
      await connected;
      const began = performance.now();
      await jobs.close();
      smtp.close();
      expect(performance.now() - began).toBeLessThan(2500);
      const [row] = await outbox();
      expect(row).toMatchObject({ state: 'waiting', attempts: 1 });

      server.answer({});
      expect(await send()).toBe(1);
      expect(server.received[0]).toContain(`Message-ID: <${row?.id}@127.0.0.1>`);
      expect(logged).toEqual([]);
    },
  );

  test('is given up after a while, and the other mails wait with the one that it holds', async () => {
    await queue(2);
    const given: AbortSignal[] = [];
    const never: Deliver = (_mail, signal) =>
      new Promise((_resolve, reject) => {
        given.push(signal);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const closing = new AbortController();
    const round = runDueJobs(database.db, mailJobs({ brand, deliver: never, keep: false }), {
      signal: closing.signal,
      log: () => {},
    });
    await expect.poll(() => given.length).toBe(1);
    closing.abort();
    expect(await round).toBe(0);
    expect((await outbox()).map(({ attempts }) => attempts)).toEqual([1, 0]);
  });
});

test('A mail that was taken is not sent again because the database was away when that was to be written down', async () => {
  await queue();
  const { sql, url } = database;
  const name = new URL(url).pathname.slice(1);
  const sessions = sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = ${name} and pid <> pg_backend_pid()`;
  let times = 0;
  const deliver: Deliver = async () => {
    times += 1;
    await sessions;
  };
  const kind = mailJobs({ brand, deliver, keep: false });
  expect(await runDueJobs(database.db, kind, { log: () => {} })).toBe(1);
  expect(times).toBe(1);
  expect((await outbox())[0]).toMatchObject({ state: 'done' });
});
