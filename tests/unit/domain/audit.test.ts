import { expect, test } from 'vitest';
import { auditFilter, detailLines } from '#domain/audit.ts';

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
  expect(detailLines({ before: null, conversation_id: id })).toEqual([]);
});

test('Days that don’t exist are no filter', () => {
  const read = (query: string) => auditFilter.read(new URLSearchParams(query));
  expect(read('from=2026-02-28&to=2026-02-31')).toMatchObject({ from: '2026-02-28', to: null });
  expect(auditFilter.write(read('from=2026-02-28&kind=changes'))).toBe(
    '?kind=changes&from=2026-02-28',
  );
});
