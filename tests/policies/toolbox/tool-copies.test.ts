import { describe, expect, test } from 'vitest';
import { expectReaders, openWorld, type PersonaName, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as, ask } = world;
const id = crypto.randomUUID();

interface Copy {
  title: string;
  body_markdown: string;
  revision: number;
  updated_by_name: string;
}

const copy = (name: PersonaName, copyId: string, slug = 'one-page-plan') =>
  as(people[name])`select public.copy_tool(${copyId}, ${slug}, ${ids.alder})`;
await copy('owner', id);

const save = (
  name: PersonaName,
  revision: number | null,
  title: string,
  body = 'Words',
): Promise<{ saved: boolean; copy: Copy }> =>
  ask(people[name], 'save_tool_copy($1, $2, $3, $4)', [id, revision, title, body]);

const shown = (name: PersonaName): Promise<(Copy & { may_edit: boolean }) | null> =>
  ask(people[name], 'get_tool_copy($1)', [id]);

const remove = (name: PersonaName, removed: boolean) =>
  as(people[name])`select public.remove_tool_copy(${id}, ${removed})`;

test('Members and the assigned coach read them', async () => {
  await expectReaders(world, 'tool_copies', 'title', {
    owner: ['One-page plan'],
    colleague: ['One-page plan'],
    coach: ['One-page plan'],
  });
  expect(await shown('coach')).toMatchObject({ may_edit: false });
  expect(await shown('colleague')).toMatchObject({ may_edit: true });
  expect(await shown('otherOwner')).toBeNull();
});

test('Only members copy, fill in and remove', async () => {
  const others = ['otherOwner', 'coach', 'otherCoach', 'admin'] as const;
  for (const name of others) {
    expect(await refusalOf(copy(name, crypto.randomUUID())), name).toBe(
      '42501 You don’t belong to this business.',
    );
    expect(await refusalOf(save(name, 1, 'Mine')), name).toMatch(/^P0002 /);
    expect(await refusalOf(remove(name, true)), name).toMatch(/^P0002 /);
  }
  expect(await refusalOf(copy('ownerWithoutCode', crypto.randomUUID()))).toMatch(
    /authenticator app/,
  );
  expect(await refusalOf(copy('visitor', crypto.randomUUID()))).toMatch(/^42501 /);
});

test('What is read, not filled in, cannot be copied', async () => {
  expect(await refusalOf(copy('owner', crypto.randomUUID(), 'customer-interview-script'))).toBe(
    '22023 You can only fill in templates, worksheets and checklists.',
  );
  expect(await refusalOf(copy('owner', crypto.randomUUID(), 'no-such-tool'))).toMatch(/^P0002 /);
});

describe('A copy', () => {
  test('is made once for each id', async () => {
    await copy('owner', id);
    expect(await sql`select revision from public.tool_copies`).toEqual([{ revision: 1 }]);
  });

  test('of two who fill it in at once keeps the first, and gives it to the second', async () => {
    expect(await save('owner', 1, 'Plan of the bakery')).toMatchObject({
      saved: true,
      copy: { revision: 2, updated_by_name: 'Olive Owner' },
    });
    expect(await save('colleague', 1, 'Another plan')).toMatchObject({
      saved: false,
      copy: { title: 'Plan of the bakery', revision: 2 },
    });
    // Without a base revision, nothing is overwritten.
    expect(await save('colleague', null, 'Another plan')).toMatchObject({ saved: false });
    // A retry after a lost response succeeds.
    expect(await save('owner', 1, 'Plan of the bakery')).toMatchObject({
      saved: true,
      copy: { revision: 2 },
    });
    expect(await save('colleague', 2, 'Another plan')).toMatchObject({
      saved: true,
      copy: { revision: 3, updated_by_name: 'Cole League' },
    });
  });

  test('has a name and a longest length', async () => {
    expect(await refusalOf(save('owner', 3, '  '))).toBe('22023 Give it a name.');
    expect(await refusalOf(save('owner', 3, 'Plan', 'x'.repeat(60_001)))).toMatch(/^22023 /);
  });

  test('that was removed is gone for everyone, comes back, and is deleted after 30 days', async () => {
    await remove('colleague', true);
    expect(await shown('owner')).toBeNull();
    expect(await refusalOf(save('owner', 3, 'Plan'))).toMatch(/^55000 /);
    await remove('owner', false);
    expect(await shown('owner')).toMatchObject({ revision: 3 });

    await remove('owner', true);
    await sql`update public.tool_copies set removed_at = now() - interval '29 days'`;
    await sql`select private.delete_removed_copies()`;
    expect(await sql`select from public.tool_copies`).toHaveLength(1);
    await sql`update public.tool_copies set removed_at = now() - interval '31 days'`;
    await sql`select private.delete_removed_copies()`;
    expect(await sql`select from public.tool_copies`).toHaveLength(0);
  });

  test('outlives the item it came from', async () => {
    await copy('owner', id, 'role-sheet');
    await sql`delete from public.toolbox_items where slug = 'role-sheet'`;
    expect(await shown('owner')).toMatchObject({ item: null, title: 'Role sheet' });
  });
});
