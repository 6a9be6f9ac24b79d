import * as v from 'valibot';
import { queryOne } from '../_shared/connection.ts';
import { renderMail } from '../_shared/mail/templates.ts';
import { asCaller } from '../_shared/person.ts';
import { answer, objectOf, refuseOtherMethods, textOf } from '../_shared/requests.ts';
import { brandFromSettings } from '../_shared/settings.ts';

/** Enough for 30,000 characters of four bytes, and JSON's escapes. */
const LONGEST = 200_000;

const issue = v.object({ subject: v.string(), preview: v.string(), body: v.string() });

/** Whether the caller is an admin; null if nobody is signed in. */
const isAdmin = (request: Request) =>
  asCaller(request, async (db) => {
    const row = await queryOne<{ found: boolean }>(db)`
      select exists (
        select from public.staff_roles where user_id = (select auth.uid()) and role = 'admin'
      ) as found`;
    return row?.found === true;
  });

/**
 * An issue of the newsletter as its email would look, for admins who write it: {subject, preview,
 * body} → {html, text}. Rendered by what sends it; the link to unsubscribe leads to the page.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const allowed = await isAdmin(request);
    if (allowed === null) return answer(401, 'Sign in first.');
    if (!allowed) return answer(403, 'Only an admin can do this.');
    const read = v.safeParse(issue, objectOf((await textOf(request, LONGEST)) ?? ''));
    if (!read.success) return answer(422, 'We couldn’t read this issue.');
    const { subject, ...rest } = read.output;
    const paths = { path: '/newsletter', leave_path: '/newsletter' };
    const data = { ...rest, ...paths, subject: subject.trim() || 'No subject yet' };
    try {
      const { html, text } = renderMail('newsletter-issue', data, brandFromSettings());
      return Response.json({ html, text });
    } catch {
      return answer(422, 'This can’t be turned into an email. Is something nested too deeply?');
    }
  },
};
