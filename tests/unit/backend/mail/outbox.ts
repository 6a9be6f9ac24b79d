import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Deliver, mailJobs } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { runDueJobs } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { createTestDatabase, type TestDatabase } from '../../../fixtures/database.ts';

export const brand: MailBrand = {
  product: 'Trellis',
  organisation: 'Trellis Business Coaching',
  email: 'hello@trellis.example',
  siteUrl: 'http://127.0.0.1:4321',
};

/** The mails of a test file, which are in a database of its own; each test begins with none. */
export function prepareOutbox() {
  let database: TestDatabase;
  let logged: string[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    logged = [];
    await database.sql`delete from private.jobs where kind = 'mail'`;
  });
  const log = (line: string) => void logged.push(line);

  /** Sends what is due; gives how many mails were taken. */
  async function send(
    deliver: Deliver,
    { keep = false, signal = undefined as AbortSignal | undefined } = {},
  ) {
    const kind = mailJobs({ brand, deliver, keep });
    return runDueJobs(database.db, kind, { log, ...(signal && { signal }) });
  }
  return {
    get database() {
      return database;
    },
    get logged() {
      return logged;
    },
    log,
    send,
    /** Sends what is due through a mail server. */
    async sendTo(url: string): Promise<number> {
      const smtp = smtpDelivery(url, brand);
      const sent = await send(smtp.deliver);
      smtp.close();
      return sent;
    },
    queue(
      to: string,
      template = 'newsletter-welcome',
      data: object = { path: '/newsletter#leave=x' },
    ) {
      const { sql } = database;
      return sql`select private.send_mail(${to}, ${template}, ${sql.json(data as never)})`;
    },
    /** Mails to person1@example.com and so on. */
    queueMany: (count: number) => database.sql`
      select private.send_mail(format('person%s@example.com', n), 'newsletter-welcome', '{"path": "/newsletter#leave=x"}')
      from generate_series(1, ${count}) n`,
    /** All mails, and in how many seconds each is due. */
    rows: () => database.sql`
      select *, round(extract(epoch from run_at - now()))::int as pause
      from private.mails order by created_at, to_address`,
    /** Everything that waits is due now, and has failed for so long. */
    failingFor: (hours: number) => database.sql`
      update private.jobs
      set run_at = now(), failing_since = now() - make_interval(secs => ${hours * 3600})
      where kind = 'mail' and state = 'waiting'`,
  };
}
