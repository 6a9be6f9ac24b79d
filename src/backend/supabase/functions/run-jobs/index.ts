import { connect } from '../_shared/connection.ts';
import { jobKinds } from '../_shared/jobs/kinds.ts';
import type { RemoveObject } from '../_shared/jobs/remove-file.ts';
import { runDueJobs } from '../_shared/jobs/worker.ts';
import { smtpDelivery } from '../_shared/mail/smtp.ts';
import { answer, isSameKey, refuseOtherMethods } from '../_shared/requests.ts';
import { brandFromSettings, secretKeys, setting } from '../_shared/settings.ts';

/** How long one run may take, in ms; the next one continues. */
const TIME_LIMIT = 25_000;

/** Runs due jobs: POST with the secret key, once a minute. Returns how many of each kind it ran. */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const key = request.headers.get('apikey') ?? '';
    if (!secretKeys().some((secret) => isSameKey(key, secret))) {
      return answer(403, 'Only with the secret key');
    }
    const [databaseUrl, url] = [setting('SUPABASE_DB_URL'), setting('SUPABASE_URL')];
    const smtpUrl = setting('SMTP_URL');
    if (!databaseUrl || !url || !smtpUrl)
      return answer(503, 'Set SMTP_URL, SUPABASE_URL and SUPABASE_DB_URL.');

    const brand = brandFromSettings();
    const smtp = smtpDelivery(smtpUrl, brand);
    const db = connect(databaseUrl, { max: 2 });
    const signal = AbortSignal.timeout(TIME_LIMIT);
    // biome-ignore lint/suspicious/noConsole: on Supabase the console is the function's log
    const log = (line: string) => console.error(line);
    try {
      // All kinds run in parallel: a mail server that doesn't respond mustn't delay removing files.
      const removeObject = removeOverApi(url, key);
      const kinds = jobKinds({ brand, deliver: smtp.deliver, keepMail: false, removeObject });
      const done = await Promise.all(
        kinds.map(async (kind) => [kind.name, await runDueJobs(db, kind, { signal, log })]),
      );
      return Response.json(Object.fromEntries(done));
    } finally {
      smtp.close();
      await db.destroy();
    }
  },
};

function removeOverApi(url: string, key: string): RemoveObject {
  return async (bucket, path, signal) => {
    const done = await fetch(`${url}/storage/v1/object/${encodeURIComponent(bucket)}`, {
      method: 'DELETE',
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prefixes: [path] }),
      signal,
    });
    if (!done.ok) throw new Error(`Storage answered ${done.status}`);
  };
}
