import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, nameOf, prepareWorld, refusalOf, whoReads } from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table recommendations';

describe('Who may see and change recommendations', () => {
  test('Nobody writes any through the API', () => nobodyWrites(world, 'recommendations'));

  test('They are computed once, for the owner of the database too', async () => {
    const { sql, ids } = world;
    const once = '55000 Results are computed once.';
    expect(await refusalOf(sql`update public.recommendations set priority = 1`)).toBe(once);
    expect(
      await refusalOf(
        sql`
          insert into public.recommendations
          select (jsonb_populate_record(t, '{"area_key": "web-design"}')).* from public.recommendations t
          where t.attempt_id = ${ids.alderResult} limit 1`,
      ),
    ).toBe(once);
    expect(await refusalOf(sql`delete from public.recommendations`)).toBe(
      '55000 Results are never removed.',
    );
  });

  test('Owners read their own, the assigned coach what is shared', async () => {
    expect(
      await whoReads(world, 'recommendations', '*', (row) => nameOf(world, row.attempt_id)),
    ).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['alderResult'],
        otherOwner: ['birchResult'],
        ownerWithCode: ['cedarResult'],
        coach: ['alderResult'],
      }),
    );
  });
});
