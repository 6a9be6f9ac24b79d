import { sql } from 'kysely';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { Html, html } from '#backend/supabase/functions/_shared/mail/html.ts';
import { FRAMED, isFromThisMachine, localPage, notFound, STYLE } from './local-page.ts';

const SHOWN = 200;

const PATH = '/_local/mailbox';

interface SentMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  sentAt: Date;
}

/**
 * Creates the mailbox of a site that doesn't send email: `/_local/mailbox` is a page, `.json` a
 * list, and `/_local/mailbox/<id>` one email. Other machines get a 404. `options.send` renders the
 * emails that are still queued.
 */
export function createMailbox(options: { db: Database; send: () => Promise<number> }) {
  return async (request: Request, info: { remoteAddress: string }): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (!reading || !isFromThisMachine(request, info.remoteAddress)) return notFound();

    await options.send();
    if (pathname === PATH || pathname === `${PATH}/`) return page(await list(options.db));
    if (pathname === `${PATH}.json`) {
      const mails = await list(options.db);
      const shown = mails.map(({ id: _, ...mail }) => mail);
      return Response.json(shown, { headers: { 'cache-control': 'no-store' } });
    }
    const [, id] = /^\/_local\/mailbox\/([0-9a-f-]{36})$/.exec(pathname) ?? [];
    const [mail] = id ? await list(options.db, id) : [];
    return mail ? frame(mail) : notFound();
  };
}

async function list(db: Database, id?: string): Promise<SentMail[]> {
  const rows = await query<SentMail>(db)`
    select id, to_address as to, coalesce(subject, '') as subject,
      coalesce(body_text, '') as text, coalesce(html, '') as html, finished_at as "sentAt"
    from private.mails
    where state = 'done' ${id ? sql`and id = ${id}` : sql``}
    -- In the order they were written: several are sent at the same time.
    order by created_at desc, finished_at desc
    limit ${SHOWN}
  `;
  return rows;
}

/** The email as its recipient sees it: no scripts, nothing external, and links open in a new tab. */
function frame(mail: SentMail): Response {
  const body = mail.html.replace('<head>', '<head><base target="_blank">');
  return localPage(new Html(body), FRAMED);
}

function page(mails: SentMail[]): Response {
  const rows = mails.map(
    (mail, index) => html`<details${index === 0 ? new Html(' open') : null}>
        <summary><b>${mail.subject}</b><span>To ${mail.to}, <time datetime="${mail.sentAt.toISOString()}">${mail.sentAt.toUTCString()}</time></span></summary>
        <iframe title="${mail.subject}" src="${PATH}/${mail.id}" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy"></iframe>
      </details>
      `,
  );
  const none = html`<p>Nothing yet. Sign up or ask for a code, and the email shows up here.</p>`;
  return localPage(
    html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mailbox</title>
    <style>${new Html(STYLE)}</style>
  </head>
  <body>
    <main>
      <h1>Mailbox</h1>
      <p>This site doesn’t send email. The messages it would send are here instead, newest first, and only this machine can see them. Reload for new ones.</p>
      ${rows.length > 0 ? rows : none}
    </main>
  </body>
</html>
`,
  );
}
