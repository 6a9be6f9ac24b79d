import { expect, test } from 'vitest';
import type { ClientRow } from '#data/coaching-clients.ts';
import { laterOf } from '#features/coaching/today/Upcoming.tsx';

// Wednesday evening in Denver, Thursday in UTC.
const reader = { timeZone: 'America/Denver', now: '2026-11-26T03:00:00Z' };

const client = (id: string, due_at: string | null): ClientRow => ({
  id,
  key: id,
  business: { id, name: 'Alder Bakery' },
  owner: { user_id: id, full_name: 'Ana Alder', avatar_path: null },
  state: 'active',
  due_what: due_at === null ? null : 'session',
  due_at,
  session_id: null,
  next_session_at: null,
  last_session_at: null,
  open_actions: 0,
  results_shared: true,
  unread: 0,
});

test('What comes next for a coach starts after tomorrow in their time zone, and ends with three', () => {
  const rows = [
    client('nothing', null),
    client('late', '2026-11-24T17:00:00Z'),
    client('tomorrow', '2026-11-27T06:59:00Z'),
    client('after', '2026-11-27T07:00:00Z'),
    client('saturday', '2026-11-28T17:00:00Z'),
    client('sunday', '2026-11-29T17:00:00Z'),
    client('monday', '2026-11-30T17:00:00Z'),
  ];
  expect(laterOf(rows, reader).map(({ id }) => id)).toEqual(['after', 'saturday', 'sunday']);
});
