import { expect, test } from 'vitest';
import { openWorld } from '../fixtures/personas.ts';

const world = await openWorld();
const { sql } = world;

test('Sent twice a message is stored and mailed once; an address hears of three a day; after two years it is gone', async () => {
  const id = crypto.randomUUID();
  const send = () => sql`
    select private.receive_message(
      'caller', ${id}, 'Writer@example.test', 'Wren', '', 'pricing', 'How much?', null,
      'us@example.test'
    )`;
  await send();
  await send();
  const mails = await sql`
    select to_address, template, data from private.mails order by template`;
  expect(mails).toEqual([
    expect.objectContaining({ to_address: 'us@example.test', template: 'contact-message' }),
    // The acknowledgment contains no text from the message, as its address isn't confirmed.
    { to_address: 'writer@example.test', template: 'contact-received', data: {} },
  ]);
  expect(await sql`select topic, body from public.contact_messages`).toEqual([
    { topic: 'pricing', body: 'How much?' },
  ]);
  // The form can't flood someone's mailbox: all messages are stored, but three a day acknowledged.
  for (let count = 0; count < 4; count += 1) {
    await sql`
      select private.receive_message(
        ${`caller ${count}`}, gen_random_uuid(), 'writer@example.test', 'Wren', '', 'pricing',
        'How much?', null, 'us@example.test'
      )`;
  }
  expect(
    await sql`
      select template, count(*)::int as sent from private.mails group by 1 order by 1`,
  ).toEqual([
    { template: 'contact-message', sent: 5 },
    { template: 'contact-received', sent: 3 },
  ]);
  await sql`update public.contact_messages set created_at = now() - interval '2 years 1 day'`;
  await sql`select private.delete_old_contacts()`;
  expect(await sql`select id from public.contact_messages`).toEqual([]);
});
