import * as v from 'valibot';
import { query } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { answerForm, type Outcome } from '../_shared/public-form.ts';
import { CONSENT, contactMessage } from '../_shared/schemas/contact.ts';
import { problemsOf } from '../_shared/schemas/fields.ts';
import { brandFromSettings } from '../_shared/settings.ts';

const THANKS = '/contact/thanks';

/** Receives a message from the form on /contact, from a browser with or without scripts. */
async function receive(fields: Record<string, string>, caller: string | null): Promise<Outcome> {
  // A honeypot: people are told to leave this hidden field empty, and bots get the usual response.
  if (fields.website) return { name: 'done', to: THANKS };
  const read = v.safeParse(contactMessage, {
    business: '',
    ...fields,
    // A form without scripts has no ID.
    id: fields.id || crypto.randomUUID(),
    newsletter: ['on', 'true'].includes(fields.newsletter ?? ''),
  });
  if (!read.success) {
    return { name: 'refused', status: 422, errors: problemsOf(read.issues) };
  }
  const { id, email, name, business, topic, message, newsletter } = read.output;
  await query(database())`
    select private.receive_message(
      ${caller}, ${id}, ${email}, ${name}, ${business}, ${topic}, ${message},
      ${newsletter ? CONSENT : null}, ${brandFromSettings().email}
    )`;
  return { name: 'done', to: THANKS };
}

export default {
  fetch: (request: Request) =>
    answerForm(request, { title: 'Please fix one thing', page: '/contact', handle: receive }),
};
