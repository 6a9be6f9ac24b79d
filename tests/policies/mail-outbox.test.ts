import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../fixtures/database.ts';
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
    expect(
      await whoMay(world, (sql) => sql`insert into public.mail_outbox default values`),
    ).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`delete from public.mail_outbox`)).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`truncate public.mail_outbox`)).toEqual(denied);
    expect(
      await whoMay(world, (sql) => sql`update public.mail_outbox set state = 'failed'`),
    ).toEqual(denied);
  });

  test('The sender on Supabase works through the mail with the secret key', async () => {
    const { sql } = world;
    const sender = { role: 'service_role' as const };
    const [row] = await asPerson(
      sql,
      sender,
      (tx) => tx`
        insert into public.mail_outbox (to_address, template) values ('a@example.test', 'hello')
        returning state`,
    );
    expect(row?.state).toBe('queued');
    expect(await refusalOf(asPerson(sql, sender, (tx) => tx`delete from public.mail_outbox`))).toBe(
      '42501 permission denied for table mail_outbox',
    );
  });
});
