import { expect, test } from 'vitest';
import { openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { admin } = people;

interface Job {
  kind: string;
  state: string;
  to: string | null;
  error: string | null;
}
const list = async (filter: object): Promise<Job[]> =>
  (await ask(admin, 'admin_jobs($1)', [filter])).rows;

await sql`delete from private.jobs where every is null`;
await sql`
  insert into private.jobs (kind, payload, secret, state, last_error) values
    ('mail', '{"to": "ann@example.test", "template": "confirm"}', '{"path": "/confirm#secret"}',
      'failed', 'No such mailbox.'),
    ('mail', '{"to": "ben@example.test", "template": "notice"}', '{}', 'waiting', null),
    ('remove_file', '{"bucket": "avatars", "path": "x/y.png"}', '{}', 'failed', 'The disk is full.')`;
await sql`update private.jobs set last_error = 'It broke.' where kind = 'delete_old_contacts'`;

test('Jobs are filtered by state, kind and recipient, and never show a secret', async () => {
  expect(await list({ words: 'ann' })).toMatchObject([
    { kind: 'mail', state: 'failed', to: 'ann@example.test', error: 'No such mailbox.' },
  ]);
  expect(JSON.stringify(await list({}))).not.toContain('secret');
  expect((await list({ state: 'waiting' })).map(({ to }) => to)).toEqual(['ben@example.test']);
  const scheduled = await list({ state: 'scheduled' });
  expect(scheduled.length).toBeGreaterThan(5);
});

test('What failed includes regular work whose last run failed, as the overview counts it', async () => {
  const kinds = async (filter: object) => (await list(filter)).map(({ kind }) => kind).sort();
  expect(await kinds({ state: 'failed', kind: 'mail' })).toEqual(['mail']);
  expect(await kinds({ state: 'failed', kind: 'other' })).toEqual([
    'delete_old_contacts',
    'remove_file',
  ]);
  expect((await ask(admin, 'admin_overview()')).tasks).toMatchObject({ mails: 1, jobs: 2 });
});
