import { expect, test } from 'vitest';
import { findRunningPostgres } from '#backend/local/postgres/postgres.ts';
import { connect } from '../../../fixtures/connection.ts';
import { startMailServer } from '../../../fixtures/mail-server.ts';
import { startSite, temporaryFolders } from './process.ts';

const makeFolder = temporaryFolders();
const READERS = 5_000;
/** After how many emails the process is killed. */
const KILLS = [500, 2_500];

test('A newsletter to 5,000 whose sender is killed in the middle, twice, reaches each of them once', async () => {
  const dataDir = await makeFolder('plain');
  const server = await startMailServer();
  const env = { ...process.env, SMTP_URL: server.url, NEWSLETTER_PER_MINUTE: '1000000' };
  const start = async () => {
    const site = startSite(dataDir, { env });
    await site.ready;
    const sql = connect((await findRunningPostgres(dataDir)) ?? '', 1);
    return { site, sql };
  };

  let { site, sql } = await start();
  const issue = crypto.randomUUID();
  await sql`
    insert into public.contacts (email, newsletter, consent_wording, consented_at)
    select format('reader%s@example.com', n), 'subscribed', 'Yes', now()
    from generate_series(1, ${READERS}) n`;
  await sql`
    insert into public.newsletter_issues (id, subject, body) values (${issue}, 'An issue', 'Words.')`;
  await sql`select private.begin_newsletter(${issue}, null)`;
  for (const count of KILLS) {
    await expect.poll(() => server.received.length, { timeout: 60_000 }).toBeGreaterThan(count);
    await site.end('SIGKILL');
    await sql.end();
    ({ site, sql } = await start());
    // The killed process could still be sending for all that the database knows. Two minutes later:
    await sql`update public.newsletter_deliveries set run_at = now() where state = 'waiting'`;
    await sql`update private.jobs set run_at = now() where kind = 'send_newsletter'`;
    await sql`select pg_notify('jobs', '')`;
  }
  const state = async () =>
    (await sql`select state from public.newsletter_issues where id = ${issue}`)[0]?.state;
  await expect.poll(state, { timeout: 90_000 }).toBe('sent');
  const [counts] = await sql`
    select recipients, delivered, refused from public.newsletter_issues where id = ${issue}`;
  expect(counts).toEqual({ recipients: READERS, delivered: READERS, refused: 0 });
  await sql.end();
  await site.end('SIGTERM');
  await server.close();

  const mails = server.received.map((mail) => ({
    to: /^To: (.*)$/m.exec(mail)?.[1]?.trim(),
    id: /^Message-ID: (.*)$/m.exec(mail)?.[1]?.trim(),
  }));
  // One email for each, by its Message-ID. What was being handed over when the process was killed
  // comes a second time under the same one, and mail servers drop it.
  const idsByReader = Map.groupBy(mails, ({ to }) => to);
  expect(idsByReader.size).toBe(READERS);
  const several = [...idsByReader.values()].filter(
    (all) => new Set(all.map(({ id }) => id)).size > 1,
  );
  expect(several).toEqual([]);
  expect(new Set(mails.map(({ id }) => id)).size).toBe(READERS);
  expect(mails.length - READERS).toBeLessThanOrEqual(KILLS.length);
}, 240_000);
