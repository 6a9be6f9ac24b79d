import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table toolbox_items';

describe('Who may see and change toolbox items', () => {
  test('Nobody writes them through the API', () => nobodyWrites(world, 'toolbox_items'));

  test('Everyone signed in reads published items, only admins the others', async () => {
    const { sql } = world;
    const [{ total }] = await sql<[{ total: number }]>`
      select count(*)::int as total from public.toolbox_items where state = 'published'`;
    await sql`
      insert into public.toolbox_items (
        id, slug, title, summary, type, area_key, levels, minutes, format, reviewed_on, state
      )
      select gen_random_uuid(), 'only-' || s, s, '', 'guide', 'web-design', '{starting}', 5, 'PDF',
        current_date, s
      from unnest(array['draft', 'archived']) as s`;
    expect(await whoMay(world, (sql) => sql`select 1 from public.toolbox_items`)).toEqual(
      everyone(total, {
        visitor: denied,
        ownerWithoutCode: 0,
        admin: total + 2,
      }),
    );
  });
});
