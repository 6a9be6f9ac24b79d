/** The mail server refuses, says nothing and is away for two days; the clock is put forward and back. */
import { setTimeout as wait } from 'node:timers/promises';
import { type MailServer, startMailServer } from '../../fixtures/mail-server.ts';
import type { BenchContext } from '../parts.ts';
import { type Figure, figure, none } from '../report.ts';
import { type HurtSite, openHurtSite, until } from './site.ts';

/** Mails of each part. */
const MAILS = 200;
/** The schedule is looked at each minute, and the outbox twice as often; a little more, in ms. */
const A_MINUTE = 65_000;
const PATIENCE = 2 * A_MINUTE;

interface Counts {
  tries: number;
  waiting: number;
  stopped: number;
  sent: number;
}

const count = (site: HurtSite): Promise<Counts> =>
  site.ask(async (sql) => {
    const [row] = await sql<Counts[]>`
      select coalesce(sum(attempts), 0)::int as tries,
        count(*) filter (where state in ('waiting', 'running'))::int as waiting,
        count(*) filter (where state = 'failed')::int as stopped,
        count(*) filter (where state = 'done')::int as sent
      from private.mails where template = 'newsletter-welcome'`;
    if (!row) throw new Error('The outbox cannot be counted.');
    return row;
  });

const queue = (site: HurtSite, mails: number) =>
  site.ask(
    (sql) => sql`
      select private.send_mail(format('person%s@example.com', n), 'newsletter-welcome', '{"path": "/newsletter#leave=x"}')
      from generate_series(1, ${mails}) n`,
  );

/** As if what waits had failed for so many hours, and were due now. */
const failingFor = (site: HurtSite, hours: number) =>
  site.ask(
    (sql) => sql`
      update private.jobs
      set failing_since = now() - make_interval(secs => ${hours * 3600}), run_at = now()
      where state = 'waiting' and every is null`,
  );

/** Waits for the next try, whose reason is in the row. */
const triedMore = (site: HurtSite, than: number) =>
  until(async () => (await count(site)).tries > than, PATIENCE);

/** Away for two days, by rows, and there again. */
async function away(site: HurtSite, server: MailServer): Promise<Figure[]> {
  server.answer({ CONNECT: '421 not today' });
  await queue(site, MAILS);
  await triedMore(site, 0);
  await wait(1_000);
  const burst = await count(site);
  await failingFor(site, 47);
  await triedMore(site, burst.tries);
  await wait(1_000);
  const nearly = await count(site);
  await failingFor(site, 49);
  await until(async () => (await count(site)).stopped === MAILS, PATIENCE);
  server.answer({});
  await site.ask((sql) => sql`select private.replay_jobs(null)`);
  const took = await until(async () => (await count(site)).sent === MAILS, PATIENCE);
  const ids = server.received.map((mail) => /^Message-ID: .*/m.exec(mail)?.[0]);
  return [
    figure('mails', MAILS),
    figure('tries that the first round cost', burst.tries, '', 1),
    { ...figure('of them waiting after 47 hours', nearly.waiting), least: MAILS },
    none('lost, once replayed', MAILS - new Set(ids).size),
    none('doubled', ids.length - new Set(ids).size),
    figure('until all were out', took / 1_000, 's'),
  ];
}

/** What a refusal for good holds up, and how often it is tried. */
async function refused(site: HurtSite, server: MailServer): Promise<Figure[]> {
  await site.ask((sql) => sql`delete from private.jobs where kind = 'mail'`);
  server.received.length = 0;
  server.answer({ 'RCPT TO:<PERSON1': '550 no such person' });
  await queue(site, MAILS);
  await until(async () => (await count(site)).waiting === 0, PATIENCE);
  const { stopped, sent, tries } = await count(site);
  return [
    { ...figure('mails refused for good', stopped), least: 1 },
    figure('tries for each mail', tries / MAILS, '', 1),
    none('others that did not go out', MAILS - stopped - sent),
  ];
}

/** When the jobs that are due have run; the rows say when, for a clock that was put. */
async function untilJobsRan(site: HurtSite, next: string): Promise<number> {
  await site.ask(
    (sql) => sql`
      update private.jobs
      set finished_at = null, run_at = now() + ${next}::interval
      where every is not null`,
  );
  return until(
    () =>
      site.ask(async (sql) => {
        const left = await sql`select from private.jobs
        where every is not null and finished_at is null`;
        return left.length === 0;
      }),
    PATIENCE,
  );
}

/** The jobs, and the end of the site, while the mail server says nothing. */
async function silent(site: HurtSite, server: MailServer): Promise<Figure[]> {
  await site.ask((sql) => sql`delete from private.jobs where kind = 'mail'`);
  server.received.length = 0;
  server.answer({ CONNECT: '' });
  const connected = server.nextConnection();
  await queue(site, 20);
  await connected;
  const jobs = await untilJobsRan(site, '0 seconds');
  await failingFor(site, 1);
  const from = performance.now();
  await site.process().stop('SIGTERM');
  const end = performance.now() - from;
  server.answer({});
  await site.start();
  await site.healthy();
  await until(async () => (await count(site)).sent === 20, PATIENCE);
  return [
    figure('until all jobs ran', jobs / 1_000, 's', A_MINUTE / 1_000),
    figure('until the site ended', end / 1_000, 's', 10),
    none('mails doubled', server.received.length - 20),
  ];
}

async function clock(site: HurtSite): Promise<Figure[]> {
  const back = await untilJobsRan(site, '30 days');
  const forward = await untilJobsRan(site, '-30 days');
  const [due] = await site.ask(
    (sql) => sql<{ jobs: number }[]>`
      select count(*)::int as jobs from private.jobs
      where every is not null and run_at not between now() and now() + every`,
  );
  const budget = A_MINUTE / 1_000;
  return [
    figure('put back 30 days: until all jobs ran', back / 1_000, 's', budget),
    figure('put forward 30 days: until all jobs ran', forward / 1_000, 's', budget),
    none('jobs that are due again at once', due?.jobs ?? 0),
  ];
}

/** Runs these series on one site. */
export async function mailAndClock({ scratch, settings, show }: BenchContext): Promise<void> {
  const server = await startMailServer();
  const more = { ...settings, SMTP_URL: server.url };
  const site = await openHurtSite(`${scratch}/faults-mail`, more, 1);
  try {
    show('The mail server away for two days', await away(site, server));
    show('A mail server that refuses', await refused(site, server));
    show('A mail server that says nothing', await silent(site, server));
    show('A clock that is put', await clock(site));
  } finally {
    await site.process().stop('SIGKILL');
    await server.close();
  }
}
