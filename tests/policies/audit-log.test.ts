import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, refusalOf, whoMay } from '../fixtures/personas.ts';

const world = prepareWorld();

describe('Who may see and change the audit log', () => {
  test('A visitor, an owner, a coach and an admin neither read nor write the audit log directly', async () => {
    const denied = everyone('42501 permission denied for table audit_log');
    expect(await whoMay(world, (sql) => sql`select 1 from public.audit_log`)).toEqual(denied);
    await nobodyWrites(world, 'audit_log');
  });

  test('What is written in the audit log stays as it is, for the owner of the database too', async () => {
    const { sql } = world;
    const kept = '55000 Rows of audit_log are never changed or removed.';
    expect(await refusalOf(sql`update public.audit_log set reason = 'none'`)).toBe(kept);
    expect(await refusalOf(sql`delete from public.audit_log`)).toBe(kept);
    expect(await refusalOf(sql`truncate public.audit_log`)).toBe(kept);
  });
});
