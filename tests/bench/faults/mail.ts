/** The mail server refuses, says nothing and is away for two days; the clock is put forward and back. */
import { setTimeout as wait } from 'node:timers/promises';
import { type MailServer, startMailServer } from '../../fixtures/mail-server.ts';
import type { Figure, Groups } from '../report.ts';
import type { SeriesContext } from './series.ts';
import { type HurtSite, openHurtSite } from './site.ts';

/** Mails of each part. */
const MAILS = 200;
/** The schedule is looked at each minute, and the outbox twice as often; a little more, in ms. */
const A_MINUTE = 65_000;

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

/** Waits until it is so; gives for how long that took in ms. */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  while (!(await isSo())) {
    if (performance.now() - from > 2 * A_MINUTE) throw new Error('It never came to that.');
    await wait(100);
  }
  return performance.now() - from;
}

/** Waits for the next try, whose reason is in the row. */
const triedMore = (site: HurtSite, than: number) =>
  until(async () => (await count(site)).tries > than);

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
  await until(async () => (await count(site)).stopped === MAILS);
  server.answer({});
  await site.ask((sql) => sql`select private.replay_jobs(null)`);
  const took = await until(async () => (await count(site)).sent === MAILS);
  const ids = server.received.map((mail) => /^Message-ID: .*/m.exec(mail)?.[0]);
  return [
    { what: 'mails', value: MAILS, unit: '' },
    { what: 'tries that the first round cost', value: burst.tries, unit: '', budget: 1 },
    { what: 'of them waiting after 47 hours', value: nearly.waiting, unit: '', least: MAILS },
    { what: 'lost, once replayed', value: MAILS - new Set(ids).size, unit: '', budget: 0 },
    { what: 'doubled', value: ids.length - new Set(ids).size, unit: '', budget: 0 },
    { what: 'until all were out', value: took / 1_000, unit: 's' },
  ];
}

/** What a refusal for good holds up, and how often it is tried. */
async function refused(site: HurtSite, server: MailServer): Promise<Figure[]> {
  await site.ask((sql) => sql`delete from private.jobs where kind = 'mail'`);
  server.received.length = 0;
  server.answer({ 'RCPT TO:<PERSON1': '550 no such person' });
  await queue(site, MAILS);
  await until(async () => (await count(site)).waiting === 0);
  const { stopped, sent, tries } = await count(site);
  return [
    { what: 'mails refused for good', value: stopped, unit: '', least: 1 },
    { what: 'tries for each mail', value: tries / MAILS, unit: '', budget: 1 },
    { what: 'others that did not go out', value: MAILS - stopped - sent, unit: '', budget: 0 },
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
  return until(() =>
    site.ask(async (sql) => {
      const left = await sql`select from private.jobs
        where every is not null and finished_at is null`;
      return left.length === 0;
    }),
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
  await until(async () => (await count(site)).sent === 20);
  return [
    { what: 'until all jobs ran', value: jobs / 1_000, unit: 's', budget: A_MINUTE / 1_000 },
    { what: 'until the site ended', value: end / 1_000, unit: 's', budget: 10 },
    { what: 'mails doubled', value: server.received.length - 20, unit: '', budget: 0 },
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
    { what: 'put back 30 days: until all jobs ran', value: back / 1_000, unit: 's', budget },
    { what: 'put forward 30 days: until all jobs ran', value: forward / 1_000, unit: 's', budget },
    { what: 'jobs that are due again at once', value: due?.jobs ?? 0, unit: '', budget: 0 },
  ];
}

/** Runs these series on one site, where they are asked for. */
export async function mailAndClock({
  scratch,
  settings,
  times,
  tell,
}: SeriesContext): Promise<Groups> {
  const groups: Groups = {};
  if (times('mail', 1) === 0) return groups;
  const server = await startMailServer();
  const site = await openHurtSite(
    `${scratch}/faults-mail`,
    { ...settings, SMTP_URL: server.url },
    1,
  );
  const series = {
    'The mail server away for two days': away,
    'A mail server that refuses': refused,
    'A mail server that says nothing': silent,
    'A clock that is put': clock,
  };
  try {
    for (const [title, run] of Object.entries(series)) {
      groups[title] = await run(site, server);
      tell(title, groups[title]);
    }
  } finally {
    await site.process().stop('SIGKILL');
    await server.close();
  }
  return groups;
}
