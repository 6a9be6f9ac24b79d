import { expect, test } from 'vitest';
import { openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql } = world;

/** The client's IP address, from the headers that the REST interface passes on. */
async function addressBy(headers: Record<string, string>): Promise<string> {
  return sql.begin(async (sql) => {
    await sql`select set_config('request.headers', ${JSON.stringify(headers)}, true)`;
    const [row] = await sql`select private.client_address() as address`;
    return row?.address;
  });
}

const FORWARDED = { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' };
const NAMED = { ...FORWARDED, 'cf-connecting-ip': '192.0.2.7' };

test('What is believed is the name of a header', async () => {
  const work = sql`select private.trust_address_header('no header')`;
  expect(await refusalOf(work)).toMatch(/^23514 /);
});

test('A header that anybody may send is believed by nobody', async () => {
  expect(await addressBy(NAMED)).toBe('198.51.100.1');
  expect(await addressBy({ 'cf-connecting-ip': '192.0.2.7' })).toBeNull();
});

test('A header is believed once the operator of the server says so, until they undo it', async () => {
  await sql`select private.trust_address_header('CF-Connecting-IP')`;
  expect(await addressBy(NAMED)).toBe('192.0.2.7');
  expect(await addressBy(FORWARDED)).toBe('198.51.100.1');
  await sql`select private.trust_address_header('x-real-ip')`;
  expect(await addressBy(NAMED)).toBe('198.51.100.1');
  await sql`select private.trust_address_header(null)`;
  expect(await addressBy(NAMED)).toBe('198.51.100.1');
});

test('An address of IPv6 counts as the network that one client has', async () => {
  expect(await addressBy({ 'x-forwarded-for': '2001:db8:1:2:3::4' })).toBe('2001:db8:1:2::');
  expect(await addressBy({ 'x-forwarded-for': '::ffff:192.0.2.7' })).toBe('192.0.2.7');
  expect(await addressBy({ 'x-forwarded-for': 'nonsense' })).toBe('nonsense');
});

test('One network takes a tenth of what there is for everyone, and the others go on', async () => {
  const take = (sender: string | null) =>
    sql`
      select private.require_fair_share(
        'things', ${sender}, private.network_of(${sender}, 24, 48), 3, 50, '1 hour', 'Wait %s.'
      )`;
  const refused = 'PT429 Wait in an hour.';
  for (let n = 0; n < 3; n += 1) await take('192.0.2.1');
  expect(await refusalOf(take('192.0.2.1'))).toBe(refused);
  for (let n = 2; n < 4; n += 1) await take(`192.0.2.${n}`);
  expect(await refusalOf(take('192.0.2.9'))).toBe(refused);
  // All requests without an address share one network's quota.
  for (let n = 0; n < 5; n += 1) await take(null);
  expect(await refusalOf(take(null))).toBe(refused);
  await take('198.51.100.1');
  const [all] = await sql`select hits from public.rate_limits where key = 'things'`;
  expect(all).toEqual({ hits: 11 });
});
