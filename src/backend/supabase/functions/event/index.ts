import * as v from 'valibot';
import { query, queryOne } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { type Html, html } from '../_shared/mail/html.ts';
import { answerForm, type Fields, type Outcome } from '../_shared/public-form.ts';
import { eventSignup } from '../_shared/schemas/event.ts';
import { problemsOf } from '../_shared/schemas/fields.ts';

const ALMOST = '/events/almost';
const GONE = 'This link doesn’t work anymore. Use the one in your latest email from us.';

/** Confirms or cancels a place by the secret of an emailed link, and shows the place again. */
async function use(secret: string, what: string): Promise<Outcome> {
  const known = /^[0-9a-f]{64}$/.test(secret) && ['confirm', 'cancel'].includes(what);
  const row = known
    ? await queryOne<{ done: boolean }>(database())`
        select private.use_event_link(${secret}, ${what}) as done`
    : undefined;
  if (!row?.done) return { name: 'refused', status: 422, errors: { '': GONE } };
  return { name: 'done', to: `/confirm/place/${secret}` };
}

/** Asks for a place. The answer is the same for an address that has one, so nobody learns who comes. */
async function ask(fields: Fields, caller: string | null): Promise<Outcome> {
  if (fields.website) return { name: 'done', to: ALMOST };
  const read = v.safeParse(eventSignup, { wish: '', occasion: '', ...fields });
  if (!read.success) return { name: 'refused', status: 422, errors: problemsOf(read.issues) };
  const { event, occasion, email, name, wish } = read.output;
  try {
    await query(database())`
      select private.ask_for_place(${caller}, ${event}, ${occasion}, ${email}, ${name}, ${wish})`;
  } catch (thrown) {
    const { code, message } = thrown as { code?: string; message?: string };
    if (code !== '22023') throw thrown;
    return { name: 'refused', status: 422, errors: { occasion: message ?? '' } };
  }
  return { name: 'done', to: ALMOST };
}

const LABELS: Record<string, string> = {
  name: 'Your name',
  email: 'Email',
  wish: 'What would you like to get out of it? (optional)',
};

/** The form with everything that was typed, and each error next to its field. */
function controls(fields: Fields, errors: Fields): Html[] {
  const error = (name: string) =>
    errors[name] ? html`<strong id="${name}-error">${errors[name]}</strong>` : null;
  const control = (name: string, value: string) => {
    if (name === 'wish') {
      return html`<textarea id="${name}" name="${name}" rows="4">${value}</textarea>`;
    }
    const autocomplete = name === 'email' ? 'email' : 'name';
    return errors[name]
      ? html`<input id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}" aria-invalid="true" aria-describedby="${name}-error">`
      : html`<input id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}">`;
  };
  // The date is chosen on the page, where it says how many places each has.
  return [
    html`${errors.occasion ? html`<p><strong>${errors.occasion}</strong></p>` : null}`,
    ...['event', 'occasion', 'place', 'what', 'website'].map((name) =>
      fields[name] === undefined
        ? html``
        : html`<input type="hidden" name="${name}" value="${fields[name]}">`,
    ),
    ...(fields.place === undefined
      ? Object.entries(LABELS).map(
          ([name, label]) =>
            html`<p><label for="${name}">${label}</label>${error(name)}${control(name, fields[name] ?? '')}</p>`,
        )
      : []),
  ];
}

export default {
  fetch: (request: Request): Promise<Response> =>
    answerForm(request, {
      title: 'Please fix one thing',
      page: '/events',
      handle: (fields, caller) =>
        fields.place ? use(fields.place, fields.what ?? '') : ask(fields, caller),
      controls: (fields, errors) => Promise.resolve(controls(fields, errors)),
    }),
};
