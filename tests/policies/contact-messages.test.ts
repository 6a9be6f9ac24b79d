import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, everyone, type World, whoMay, whoReads } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

const denied = '42501 permission denied for table contact_messages';

describe('Who may see what was written to us', () => {
  test('Nobody reads or writes the table', async () => {
    expect(await whoReads(world, 'contact_messages', 'id', ({ id }) => id)).toEqual(
      everyone(denied),
    );
    expect(await whoMay(world, (sql) => sql`update public.contact_messages set body = ''`)).toEqual(
      everyone(denied),
    );
  });

  test('Sent twice a message is stored and mailed once; after two years it is gone', async () => {
    const { sql } = world;
    const id = crypto.randomUUID();
    const send = () => sql`
      select private.receive_message(
        'caller', ${id}, 'Writer@example.test', 'Wren', '', 'pricing', 'How much?', null,
        'us@example.test'
      )`;
    await send();
    await send();
    const mails = await sql`
      select to_address, template, data from public.mail_outbox order by template`;
    expect(mails).toEqual([
      expect.objectContaining({ to_address: 'us@example.test', template: 'contact-message' }),
      // Nothing of it goes to an address that nobody has confirmed.
      { to_address: 'writer@example.test', template: 'contact-received', data: {} },
    ]);
    expect(await sql`select topic, body from public.contact_messages`).toEqual([
      { topic: 'pricing', body: 'How much?' },
    ]);
    await sql`update public.contact_messages set created_at = now() - interval '2 years 1 day'`;
    await sql`select private.delete_old_contacts()`;
    expect(await sql`select id from public.contact_messages`).toEqual([]);
  });
});
