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

/** Creates a database for a test file's emails; each test starts with none. */
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

  /** Sends due emails; returns how many were delivered. */
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
    /** Sends due emails through a mail server. */
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
    /** Queues emails to person1@example.com and so on. */
    queueMany: (count: number) => database.sql`
      select private.send_mail(format('person%s@example.com', n), 'newsletter-welcome', '{"path": "/newsletter#leave=x"}')
      from generate_series(1, ${count}) n`,
    /** All emails, with the number of seconds until each is due. */
    rows: () => database.sql`
      select *, round(extract(epoch from run_at - now()))::int as pause
      from private.mails order by created_at, to_address`,
    /** Makes all waiting emails due now, as if they had been failing for this long. */
    failingFor: (hours: number) => database.sql`
      update private.jobs
      set run_at = now(), failing_since = now() - make_interval(secs => ${hours * 3600})
      where kind = 'mail' and state = 'waiting'`,
  };
}
