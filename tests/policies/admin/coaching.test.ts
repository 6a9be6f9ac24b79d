import { expect, test } from 'vitest';
import { ENGAGEMENT_STATES, isOpenEngagement } from '#domain/engagement.ts';
import { asPerson } from '../../fixtures/database.ts';
import { createCoach, dayFromNow, engagementInEachState } from '../../fixtures/engagements.ts';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin, coach, otherCoach } = people;
const owner = await createNewcomer(world);
await sql`update public.profiles set full_name = 'Zoë Zeller' where user_id = ${owner.userId}`;
const former = await createCoach(world);
const ids = await engagementInEachState(world, owner, former);

interface Row {
  id: string;
  key: string;
  state: string;
  late: boolean;
  business: { name: string };
}
interface Page {
  rows: Row[];
  more: boolean;
  count: { total: number; at_least: boolean } | null;
  choices: { area: unknown[]; coach: { label: string }[] } | null;
}
const read = (
  filter: object,
  place: object | null = null,
  limit: number | null = null,
): Promise<Page> =>
  ask(admin, 'admin_engagements($1::text::jsonb, $2::text::jsonb, $3)', [
    JSON.stringify(filter),
    place && JSON.stringify(place),
    limit,
  ]);
const idsOf = ({ rows }: Page) => rows.map(({ id }) => id);
const totalOf = async (filter: object) => (await read(filter, null, 0)).count?.total;

/** Every row of a list, page by page. */
async function readAll(filter: object, size: number): Promise<string[]> {
  const found: string[] = [];
  let page = await read(filter, null, size);
  found.push(...idsOf(page));
  while (page.more) {
    const { id, key } = page.rows.at(-1) ?? {};
    page = await read(filter, { way: 'after', id, key }, size);
    found.push(...idsOf(page));
  }
  return found;
}

test('Engagements are found by state, coach, area, and words of their business or owner', async () => {
  const mine = new Set(Object.values(ids));
  const found = async (filter: object) =>
    (await readAll(filter, 100)).filter((id) => mine.has(id)).toSorted();
  for (const state of ENGAGEMENT_STATES) {
    expect(await found({ state }), state).toEqual([ids[state]]);
  }
  const open = ENGAGEMENT_STATES.filter((state) => isOpenEngagement({ state }));
  expect(await found({})).toEqual(open.map((state) => ids[state]).toSorted());
  expect(await found({ state: 'all' })).toEqual([...mine].toSorted());
  expect(await found({ coach: otherCoach.userId })).toEqual([]);
  expect(await found({ coach: coach.userId })).toEqual(
    open
      .filter((state) => state !== 'requested')
      .map((state) => ids[state])
      .toSorted(),
  );
  expect(await found({ state: 'all', area: 'sales-marketing' })).toHaveLength(mine.size);
  expect(await found({ state: 'all', area: 'web-design' })).toEqual([]);
  expect(await found({ state: 'all', words: 'zoe zel' })).toHaveLength(mine.size);
  const { rows } = await read({ state: 'requested', words: 'zoe' });
  expect(await found({ state: 'all', words: rows[0]?.business.name })).toEqual([ids.requested]);
});

test('A row says who, what and when, and the first page has the choices', async () => {
  const page = await read({ state: 'accepted', words: 'zoe' });
  expect(page.rows).toEqual([
    {
      id: ids.accepted,
      key: expect.any(String),
      business: { id: expect.any(String), name: expect.stringMatching(/^Business /) },
      owner: { id: owner.userId, name: 'Zoë Zeller' },
      coach: { id: coach.userId, name: 'Carla Coach', away: null },
      state: 'accepted',
      areas: ['sales-marketing'],
      requested_at: expect.any(String),
      due_what: 'plan',
      due_at: expect.any(String),
      late: false,
      change_requested: false,
      sessions: 0,
    },
  ]);
  expect(page.choices?.area).toHaveLength(8);
  expect(page.choices?.coach.map(({ label }) => label)).toContain('Otis Coach');
});

test('What is late, and whose coach is away, is as many as the overview and the board say', async () => {
  await sql`alter table public.engagements disable trigger user`;
  await sql`update public.engagements set due_at = now() - interval '1 hour' where id = ${ids.assigned}`;
  await sql`
    update public.engagements set due_at = now() - interval '1 minute', due_what = 'session'
    where id = ${ids.accepted}`;
  await sql`update public.engagements set change_requested_at = now() where id = ${ids.active}`;
  await sql`alter table public.engagements enable trigger user`;
  expect(idsOf(await read({ late: '1' }))).toEqual([ids.assigned]);
  const { tasks, figures } = await ask(admin, 'admin_overview()');
  expect(await totalOf({ late: '1' })).toBe(tasks.late);
  expect(await totalOf({ state: 'requested' })).toBe(tasks.unassigned);
  expect(await totalOf({})).toBe(figures.engagements.total);

  const today = await dayFromNow(sql, 0);
  await ask(coach, 'add_time_off(gen_random_uuid(), $1, $1)', [today]);
  const { rows } = await read({ show: 'away' });
  expect(rows.length).toBeGreaterThan(3);
  expect(rows[0]).toMatchObject({ coach: { away: { why: 'time_off', until: today } } });
  expect(idsOf(await read({ show: 'change' }))).toEqual([ids.active]);
  const board = await ask(admin, 'admin_coaching_board()');
  expect(board.attention).toEqual({ away: rows.length, change: 1 });
  expect(board.funnel.map(({ state }: Row) => state)).toEqual([
    'requested',
    'assigned',
    'accepted',
    'active',
    'paused',
  ]);
  for (const { state, count, late, median_hours } of board.funnel) {
    expect([state, await totalOf({ state })]).toEqual([state, count]);
    expect([state, await totalOf({ state, late: '1' })]).toEqual([state, late]);
    expect(median_hours).toBeGreaterThanOrEqual(0);
  }
  const carla = board.coaches.find(({ name }: { name: string }) => name === 'Carla Coach');
  expect(carla).toMatchObject({ away_until: today, leaving: false, capacity: null });
  expect(carla.clients).toBe(await totalOf({ coach: coach.userId }));
  expect(carla.waiting).toBe(await totalOf({ coach: coach.userId, state: 'assigned' }));
});

test('One engagement shows everything but private notes; there’s none under another id', async () => {
  const answer = await ask(admin, 'admin_engagement($1)', [ids.unreachable]);
  expect(answer.engagement).toMatchObject({
    id: ids.unreachable,
    state: 'unreachable',
    can_reopen: true,
    coach: { name: 'Carla Coach', away: null },
    owner: { name: 'Zoë Zeller' },
  });
  expect(answer.contacts).toHaveLength(3);
  expect(answer.matches).toEqual([]);
  expect(answer.events.at(-2)).toMatchObject({
    actor: 'Zoë Zeller',
    to_state: 'assigned',
    coach: 'New Comer',
  });
  expect(answer.events.find(({ why }: { why: string }) => why === 'declined')).toMatchObject({
    note: 'no time',
    from_coach: 'New Comer',
    coach: null,
  });
  expect(await ask(admin, 'admin_engagement($1)', [crypto.randomUUID()])).toBeNull();
});

test.each([
  ["assign_coach($1, $2, 'near')", '55000 This coaching has ended.'],
  ["unassign_coach($1, 'near')", '55000 This coaching has already ended.'],
  ["refer_elsewhere($1, 'near', 'Ask a bank.')", '55000 This coaching has already ended.'],
  ["close_engagement($1, 'near')", '55000 This coaching has already ended.'],
])('An admin can’t %s after the end', async (call, refused) => {
  const values = call.includes('$2') ? [ids.withdrawn, coach.userId] : [ids.withdrawn];
  expect(await refusal(admin, call, values)).toBe(refused);
});

test.each([
  ['unassign_coach($1, null)', '22023 Give a reason of 3 to 2,000 characters.'],
  ["refer_elsewhere($1, 'x', 'Ask a bank.')", '22023 Give a reason of 3 to 2,000 characters.'],
  ["refer_elsewhere($1, 'a bank', ' ')", '22023 Tell the owner who can help instead.'],
  ["close_engagement($1, '')", '22023 Give a reason of 3 to 2,000 characters.'],
])('%s is refused, and leaves nothing in the log', async (call, refused) => {
  const [before] = await sql`select count(*) as rows from public.audit_log`;
  expect(await refusal(admin, call, [ids.requested])).toBe(refused);
  expect(await sql`select count(*) as rows from public.audit_log`).toEqual([before]);
});

test('Of 10,000 engagements, pages leave nothing out, and each reads only a few rows', async () => {
  await sql.begin(async (tx) => {
    for (const table of ['businesses', 'engagements']) {
      await tx.unsafe(`alter table public.${table} disable trigger user`);
    }
    await tx`
      insert into public.businesses (id, name, created_by)
      select gen_random_uuid(), 'Shop ' || n, ${owner.userId} from generate_series(1, 10000) n`;
    await tx`
      insert into public.engagements (
        id, business_id, owner_id, coach_id, state, areas, requested_at, state_since, due_what, due_at, closed_at
      )
      select gen_random_uuid(), b.id, ${owner.userId},
        case when n % 5 > 0 then ${coach.userId}::uuid end,
        (array['requested', 'assigned', 'accepted', 'active', 'completed'])[n % 5 + 1],
        array[(array['web-design', 'sales-marketing'])[n % 2 + 1]],
        now() - make_interval(mins => n / 3), now(),
        case when n % 5 < 4 then 'plan' end, case when n % 5 < 4 then now() + make_interval(mins => n / 7) end,
        case when n % 5 = 4 then now() end
      from (select id, row_number() over (order by id)::int as n from public.businesses where name like 'Shop %') b`;
    for (const table of ['businesses', 'engagements']) {
      await tx.unsafe(`alter table public.${table} enable trigger user`);
    }
  });
  await sql`select private.name_engagements(array(select e.id from public.engagements e))`;
  await sql`analyze`;

  for (const [filter, where] of [
    [{ state: 'all' }, sql`true`],
    [{ state: 'all', sort: 'requested' }, sql`true`],
    [{ state: 'requested' }, sql`e.state = 'requested'`],
    [{ coach: coach.userId }, sql`e.coach_id = ${coach.userId} and e.closed_at is null`],
  ] as const) {
    const expected = await sql`
      select e.id from public.engagements e where ${where}
      order by ${'sort' in filter ? sql`e.requested_at desc, e.id desc` : sql`coalesce(e.due_at, 'infinity'), e.id`}`;
    expect(await readAll(filter, 500), JSON.stringify(filter)).toEqual(
      expected.map(({ id }) => id),
    );
  }
  expect((await read({})).count).toEqual({ total: 1000, at_least: true });
  expect(await totalOf({ words: 'shop 99', state: 'all' })).toBe(111);

  // A page in the middle of each order reads about as many rows as it shows.
  for (const filter of [
    { state: 'all' },
    {},
    { sort: 'requested' },
    { state: 'assigned' },
    { late: '1' },
  ]) {
    const page = await read(filter, null, 400);
    const { id, key } = page.rows.at(-1) ?? {};
    const place = id ? { way: 'after', id, key } : null;
    const rows = await asPerson(sql, admin, async (tx) => {
      // What this connection has read since its statistics were last written down.
      const reads = async () => {
        await tx`reset role`;
        const [row] = await tx`
          select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables
          where relid = 'public.engagements'::regclass`;
        return Number(row?.rows);
      };
      const before = await reads();
      await tx`
        select public.admin_engagements(
          ${JSON.stringify(filter)}::text::jsonb, ${place && JSON.stringify(place)}::text::jsonb, 25)`;
      return (await reads()) - before;
    });
    expect([filter, rows < 200 ? 'few' : rows]).toEqual([filter, 'few']);
  }
});
