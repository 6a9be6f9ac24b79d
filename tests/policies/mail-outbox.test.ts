import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../fixtures/database.ts';
import { nobodyWrites } from '../fixtures/nobody-writes.ts';
import { createWorld, everyone, refusalOf, type World, whoMay } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

describe('Who may see and change the mail outbox', () => {
  test('Nobody reads mail or sends any through the API', async () => {
    const denied = everyone('42501 permission denied for table mail_outbox');
    expect(await whoMay(world, (sql) => sql`select 1 from public.mail_outbox`)).toEqual(denied);
    await nobodyWrites(world, 'mail_outbox');
  });

  test('Not even the secret key reads mail: it holds sign-in links', async () => {
    const work = asPerson(
      world.sql,
      { role: 'service_role' },
      (sql) => sql`select 1 from public.mail_outbox`,
    );
    expect(await refusalOf(work)).toBe('42501 permission denied for table mail_outbox');
  });

  test('A new row wakes the sender', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { unlisten } = await world.sql.listen('mail_outbox', () => resolve());
    await world.sql`
      insert into public.mail_outbox (to_address, template) values ('a@example.test', 'notice')`;
    await promise;
    await unlisten();
  });
});
