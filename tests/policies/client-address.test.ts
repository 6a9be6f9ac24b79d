import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, everyone, refusalOf, type World, whoMay } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

/** Where a caller is, by the headers that the REST interface passes on. */
async function addressBy(headers: Record<string, string>): Promise<string> {
  return world.sql.begin(async (sql) => {
    await sql`select set_config('request.headers', ${JSON.stringify(headers)}, true)`;
    const [row] = await sql`select private.client_address() as address`;
    return row?.address;
  });
}

const FORWARDED = { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' };
const NAMED = { ...FORWARDED, 'cf-connecting-ip': '192.0.2.7' };

describe('Who may say which header is believed', () => {
  test('Nobody by the API', async () => {
    const refused = everyone('42501 permission denied for function trust_address_header', {
      visitor: expect.stringMatching(/^42501 /),
    });
    const refusals = await whoMay(
      world,
      (sql) => sql`select private.trust_address_header('x-real-ip')`,
    );
    expect(refusals).toEqual(refused);
  });

  test('It is the name of a header', async () => {
    const work = world.sql`select private.trust_address_header('no header')`;
    expect(await refusalOf(work)).toMatch(/^23514 /);
  });
});

describe('Limits count by the address that a proxy of ours has written', () => {
  test('A header that anybody may send is believed by nobody', async () => {
    expect(await addressBy(NAMED)).toBe('198.51.100.1');
    expect(await addressBy({ 'cf-connecting-ip': '192.0.2.7' })).toBeNull();
  });

  test('It is believed where whoever runs the server says so, and until they take it back', async () => {
    await world.sql`select private.trust_address_header('CF-Connecting-IP')`;
    expect(await addressBy(NAMED)).toBe('192.0.2.7');
    expect(await addressBy(FORWARDED)).toBe('198.51.100.1');
    await world.sql`select private.trust_address_header('x-real-ip')`;
    expect(await addressBy(NAMED)).toBe('198.51.100.1');
    await world.sql`select private.trust_address_header(null)`;
    expect(await addressBy(NAMED)).toBe('198.51.100.1');
  });
});
