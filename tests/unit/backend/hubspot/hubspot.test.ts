/**
 * Each request that we make, and what comes back. With HUBSPOT_TEST_TOKEN, in HubSpot itself: use a
 * test account with the property trellis_id for contacts and companies, as the screen describes it.
 */
import { afterAll, expect, test } from 'vitest';
import { hubspot } from '#backend/supabase/functions/_shared/hubspot.ts';
import { withSettings } from '#backend/supabase/functions/_shared/settings.ts';
import { HubSpotStandIn } from '../../../fixtures/hubspot/stand-in.ts';

const token = process.env.HUBSPOT_TEST_TOKEN;
const standIn = token ? null : await new HubSpotStandIn().open();
afterAll(() => standIn?.close());

const settings = token
  ? { HUBSPOT_TOKEN: token, HUBSPOT_API_BASE: '' }
  : { HUBSPOT_TOKEN: standIn?.token, HUBSPOT_API_BASE: standIn?.url };
const client = withSettings(settings, () => hubspot(new AbortController().signal, 10_000));
if (!client) throw new Error('There’s no token.');

const run = crypto.randomUUID();
const [ann, ben, company] = [1, 2, 3].map((n) => ({
  id: `${run}-${n}`,
  email: `person${n}-${run}@example.com`,
}));
if (!ann || !ben || !company) throw new Error('unreachable');
const inputOf = (id: string, properties: Record<string, string>) => ({
  ...{ id, idProperty: 'trellis_id', objectWriteTraceId: id },
  properties: { trellis_id: id, ...properties },
});

test('HubSpot says which properties there are, and what they can take', async () => {
  for (const kind of ['contact', 'company'] as const) {
    expect(await client.properties(kind)).toContainEqual(
      expect.objectContaining({ name: 'trellis_id', type: 'string', hasUniqueValue: true }),
    );
  }
});

test('Contacts and companies are created, read, changed, linked, removed and erased', async () => {
  const created = await client.upsert('contact', [
    inputOf(ann.id, { email: ann.email, firstname: 'Ann' }),
    inputOf(ben.id, { email: ben.email, firstname: 'Ben' }),
  ]);
  const idOf = (of: string) =>
    created.results.find(({ objectWriteTraceId }) => objectWriteTraceId === of)?.id ?? '';
  expect(created.results).toHaveLength(2);
  const [firm] = (await client.upsert('company', [inputOf(company.id, { name: 'Alder Bakery' })]))
    .results;

  await client.update('contact', [
    { id: idOf(ann.id), properties: { firstname: 'Anna' }, objectWriteTraceId: ann.id },
  ]);
  const found = await client.read('contact', 'trellis_id', [ann.id, run], ['email', 'firstname']);
  expect(found).toMatchObject([{ properties: { email: ann.email, firstname: 'Anna' } }]);

  const pair = { contact: idOf(ann.id), company: firm?.id ?? '' };
  expect(await client.link([pair])).toContainEqual(pair);
  await client.unlink(pair.contact, pair.company);

  await client.archive('company', pair.company);
  await client.archive('contact', idOf(ben.id));
  await client.erase(idOf(ann.id));
  expect(await client.read('contact', 'trellis_id', [ben.id], ['email'])).toEqual([]);
});

test('An address that can’t be one is refused, with the reason', async () => {
  const work = client.upsert('contact', [inputOf(`${run}-4`, { email: 'notanaddress' })]);
  await expect(work).rejects.toMatchObject({ why: 'refused', message: expect.any(String) });
});

test('Another token than ours is refused', async () => {
  const other = withSettings({ ...settings, HUBSPOT_TOKEN: 'pat-na1-other' }, () =>
    hubspot(new AbortController().signal, 10_000),
  );
  await expect(other?.properties('contact')).rejects.toMatchObject({ why: 'token' });
});
