import * as v from 'valibot';
import { query } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { answerForm, type Outcome } from '../_shared/public-form.ts';
import { CONSENT, contactMessage } from '../_shared/schemas/contact.ts';
import { problemsOf } from '../_shared/schemas/fields.ts';
import { brandFromSettings } from '../_shared/settings.ts';

const THANKS = '/contact/thanks';

/** Takes what somebody wrote by the form of /contact, from a browser with or without scripts. */
async function receive(fields: Record<string, string>, caller: string | null): Promise<Outcome> {
  // A field that people do not see and are told to leave alone; whoever fills it in learns nothing.
  if (fields.website) return { name: 'done', to: THANKS };
  const read = v.safeParse(contactMessage, {
    business: '',
    ...fields,
    // A form without scripts has no id of its own.
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
    answerForm(request, { title: 'One thing to mend', page: '/contact', handle: receive }),
};
