import { timingSafeEqual } from 'node:crypto';
import { connect } from '../_shared/connection.ts';
import { brandFromSettings } from '../_shared/mail/brand.ts';
import { sendDueMail } from '../_shared/mail/sender.ts';
import { smtpDelivery } from '../_shared/mail/smtp.ts';
import { refuseOtherMethods } from '../_shared/requests.ts';
import { secretKeys, setting } from '../_shared/settings.ts';

/** Longer than this a run doesn't take, in ms; the next one goes on. */
const TIME_LIMIT = 25_000;

/**
 * Sends the mail that is due: POST with the secret key, once a minute from the schedule on hosted
 * Supabase. The embedded stack runs the same sender from its own process.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const key = request.headers.get('apikey') ?? '';
    if (!secretKeys().some((secret) => same(key, secret))) {
      return answer(403, 'Only with the secret key');
    }
    const [databaseUrl, smtpUrl] = [setting('SUPABASE_DB_URL'), setting('SMTP_URL')];
    if (!databaseUrl || !smtpUrl) return answer(503, 'SMTP_URL is not set');

    const brand = brandFromSettings();
    const db = connect(databaseUrl, { max: 1 });
    const smtp = smtpDelivery(smtpUrl, brand);
    try {
      const signal = AbortSignal.timeout(TIME_LIMIT);
      // biome-ignore lint/suspicious/noConsole: on Supabase the console is the function's log
      const log = (line: string) => console.error(line);
      const sent = await sendDueMail(db, {
        brand,
        deliver: smtp.deliver,
        keep: false,
        signal,
        log,
      });
      return Response.json({ sent });
    } finally {
      smtp.close();
      await db.destroy();
    }
  },
};

function answer(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

function same(a: string, b: string): boolean {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
