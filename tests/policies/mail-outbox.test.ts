import { describe, expect, test } from 'vitest';
import { asPerson } from '../fixtures/database.ts';
import { nobodyWrites } from '../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, refusalOf, whoMay } from '../fixtures/personas.ts';

const world = prepareWorld();

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

describe('Mail that has stopped', () => {
  const stop = async () => {
    const [row] = await world.sql`
      insert into public.mail_outbox
        (to_address, template, state, attempts, failing_since, last_error, data)
      values ('a@example.test', 'notice', 'failed', 60, now() - interval '2 days', 'No answer', '{}')
      returning id`;
    return row?.id as string;
  };

  test('Only an admin sends it again, after their second factor, and the audit log says so', async () => {
    const id = await stop();
    const admins = '42501 Only an admin may do this.';
    for (const name of ['owner', 'coach', 'otherOwner'] as const) {
      expect(await refusalOf(world.ask(world.people[name], 'replay_mail($1)', [id]))).toBe(admins);
    }
    expect(await refusalOf(world.ask(world.people.visitor, 'replay_mail($1)', [id]))).toMatch(
      /permission denied/,
    );
    expect(await world.ask(world.people.admin, 'replay_mail($1)', [id])).toEqual({ replayed: 1 });
    const [mail] = await world.sql`select * from public.mail_outbox where id = ${id}`;
    expect(mail).toMatchObject({
      state: 'queued',
      attempts: 0,
      failing_since: null,
      last_error: null,
    });
    const [logged] = await world.sql`
      select actor_id, entity_id, details from public.audit_log where action = 'mail.replay'`;
    expect(logged).toEqual({
      actor_id: world.people.admin.userId,
      entity_id: id,
      details: { count: 1 },
    });
  });

  test('All of it at once; what was sent, or is waiting, stays as it is', async () => {
    await Promise.all([stop(), stop()]);
    await world.sql`
      insert into public.mail_outbox (to_address, template, state, sent_at)
      values ('b@example.test', 'notice', 'sent', now())`;
    expect(await world.ask(world.people.admin, 'replay_mail()')).toEqual({ replayed: 2 });
    expect(await world.ask(world.people.admin, 'replay_mail()')).toEqual({ replayed: 0 });
    const sent = await world.sql`select id from public.mail_outbox where state = 'sent'`;
    expect(await refusalOf(world.ask(world.people.admin, 'replay_mail($1)', [sent[0]?.id]))).toBe(
      'P0002 There is no failed email with this id.',
    );
  });

  test('Sending it again wakes the sender', async () => {
    const id = await stop();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { unlisten } = await world.sql.listen('mail_outbox', () => resolve());
    await world.ask(world.people.admin, 'replay_mail($1)', [id]);
    await promise;
    await unlisten();
  });
});
