import * as v from 'valibot';
import { query, queryOne } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { answerForm, type Outcome } from '../_shared/public-form.ts';
import { newsletterRequest, SUBSCRIBING } from '../_shared/schemas/contact.ts';
import { problemsOf } from '../_shared/schemas/fields.ts';
import { siteUrl } from '../_shared/settings.ts';

const GONE = {
  confirm: 'This link has already been used or has expired. Not on the list yet? Sign up again.',
  leave:
    'This link doesn’t work anymore. You may already be unsubscribed. If not, use the link in your latest issue.',
};

/** Uses the secret from an emailed link, once the reader has pressed the button. */
async function use(secret: string, what: 'confirm' | 'leave'): Promise<Outcome> {
  const ask = queryOne<{ done: boolean }>(database());
  const found = await (what === 'confirm'
    ? ask`select private.confirm_newsletter(${secret}) as done`
    : ask`select private.leave_newsletter(${secret}) as done`);
  if (!found?.done) return { name: 'refused', status: 422, errors: { '': GONE[what] } };
  return { name: 'done', to: `/newsletter/${what === 'confirm' ? 'welcome' : 'left'}` };
}

async function handle(fields: Record<string, string>, caller: string | null): Promise<Outcome> {
  if (fields.confirm) return use(fields.confirm, 'confirm');
  if (fields.leave) return use(fields.leave, 'leave');
  if (fields.website) return { name: 'done', to: '/newsletter/almost' };
  const read = v.safeParse(newsletterRequest, fields);
  if (!read.success) {
    return { name: 'refused', status: 422, errors: problemsOf(read.issues) };
  }
  const { email } = read.output;
  await query(database())`select private.request_newsletter(${caller}, ${email}, ${SUBSCRIBING})`;
  // The response is the same for an address already on the list, so nobody learns who subscribes.
  return { name: 'done', to: '/newsletter/almost' };
}

export default {
  fetch(request: Request): Promise<Response> {
    // An email app's own unsubscribe button (RFC 8058) posts to the URL in the email's header.
    const leave = new URL(request.url).searchParams.get('leave');
    // One without such a button opens it, and so do scanners: that alone doesn't unsubscribe.
    if (leave && (request.method === 'GET' || request.method === 'HEAD')) {
      const page = `${siteUrl()}/newsletter#leave=${encodeURIComponent(leave)}`;
      return Promise.resolve(new Response(null, { status: 303, headers: { Location: page } }));
    }
    const given = leave
      ? new Request(request.url, {
          method: request.method,
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify({ leave }),
        })
      : request;
    return answerForm(given, { title: 'Newsletter', page: '/newsletter', handle });
  },
};
