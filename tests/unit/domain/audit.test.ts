import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AUDIT_ACTIONS, auditFilter, detailLines } from '#domain/audit.ts';

/** The actions that a file of SQL records, with the steps of those it puts together: `'wrike.' || p_step`. */
function recordedIn(sql: string): string[] {
  const calls = sql.match(/private\.audit(_program)?\([^;]+;/g) ?? [];
  const steps = [...sql.matchAll(/p_step (?:=|(?:not )?in) \(?('[^)\n]*?')(?:\)| then)/g)].flatMap(
    ([, names = '']) => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  );
  return calls.flatMap((call) => [
    ...[...call.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action),
    ...[...call.matchAll(/'([a-z_]+\.)' \|\|/g)].flatMap(([, entity]) =>
      steps.map((step) => `${entity}${step}`),
    ),
  ]);
}

test('Every action that the database records has a name in words, and no name is left over', () => {
  const folder = new URL('../../../src/backend/supabase/schemas/', import.meta.url);
  const recorded = globSync('**/*.sql', { cwd: folder }).flatMap((file) =>
    recordedIn(readFileSync(new URL(file, folder), 'utf8')),
  );
  expect([...new Set(recorded)].sort()).toEqual([...AUDIT_ACTIONS].sort());
});

test('Details say what changed, in words', () => {
  expect(detailLines({ before: 'owner', after: 'coach' })).toEqual(['owner, now coach']);
  expect(
    detailLines({
      before: { audience: 'everyone', roles: [], expires_on: null },
      after: { audience: 'roles', roles: ['coach', 'admin'], expires_on: null },
    }),
  ).toEqual(['Audience: everyone, now roles', 'Roles: none, now coach, admin']);
  expect(detailLines({ business_id: 'b', count: 3, accepting: false, check: 'video' })).toEqual([
    'Count: 3',
    'Accepting: no',
    'Check: video',
  ]);
  const id = crypto.randomUUID();
  expect(
    detailLines({ before: { owner_id: null }, after: { owner_id: id }, merge_id: id }),
  ).toEqual(['Owner changed']);
  expect(detailLines({ sort: 'newest' })).toEqual([]);
  expect(detailLines({ words: '', state: 'open', link: null, groups: [] })).toEqual([
    'State: open',
  ]);
  expect(detailLines({ before: null, conversation_id: id })).toEqual([]);
});

test('Days that don’t exist are no filter', () => {
  const read = (query: string) => auditFilter.read(new URLSearchParams(query));
  expect(read('from=2026-02-28&to=2026-02-31')).toMatchObject({ from: '2026-02-28', to: null });
  expect(auditFilter.write(read('from=2026-02-28&kind=changes'))).toBe(
    '?kind=changes&from=2026-02-28',
  );
});
