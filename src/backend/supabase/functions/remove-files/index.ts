import { timingSafeEqual } from 'node:crypto';
import { connect } from '../_shared/connection.ts';
import { removeDueFiles } from '../_shared/file-removal.ts';
import { refuseOtherMethods } from '../_shared/requests.ts';
import { secretKeys, setting } from '../_shared/settings.ts';

/**
 * Removes the files of deleted accounts: POST with the secret key, once a minute from the schedule on
 * hosted Supabase. The embedded stack does the same from its own process.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const key = request.headers.get('apikey') ?? '';
    if (!secretKeys().some((secret) => same(key, secret))) {
      return answer(403, 'Only with the secret key');
    }
    const [databaseUrl, url] = [setting('SUPABASE_DB_URL'), setting('SUPABASE_URL')];
    if (!databaseUrl || !url) return answer(503, 'SUPABASE_URL is not set');

    const db = connect(databaseUrl, { max: 1 });
    try {
      const removed = await removeDueFiles(db, async (bucket, prefixes) => {
        const done = await fetch(`${url}/storage/v1/object/${encodeURIComponent(bucket)}`, {
          method: 'DELETE',
          headers: {
            apikey: key,
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ prefixes }),
        });
        if (!done.ok) throw new Error(`Storage answered ${done.status}`);
      });
      return Response.json({ removed });
    } finally {
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
