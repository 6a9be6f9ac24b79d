import { expect, test } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import { asPerson } from '../../fixtures/database.ts';
import { ordersIn } from '../../fixtures/orders.ts';
import {
  expectCallers,
  openWorldForEach,
  pause,
  refusalOf,
  someoneWaits,
} from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids } = world;
const { owner, otherOwner, colleague, coach, admin, sponsor } = people;

/** The sponsor makes a code. */
async function codeOf(most = 20, who = sponsor): Promise<string> {
  const id = crypto.randomUUID();
  const { codes } = await world.ask(who, 'create_seat_code($1, $2, $3)', [id, ids.program, most]);
  return codes.find((code: { id: string }) => code.id === id).code;
}
const take = (who: typeof owner, business: string, code: string) =>
  world.ask(who, 'take_seat($1, 1, true, $2)', [business, code]);
const offer = async (who: typeof owner | typeof people.visitor, code: string | null, seat = null) =>
  (await world.ask(who, 'get_seat_offer($1, $2)', [code, seat])).outcome;

/** Owners with a business each. */
async function owners(count: number) {
  const made: { who: typeof owner; business: string }[] = [];
  for (let number = 0; number < count; number++) {
    const email = `${crypto.randomUUID()}@example.test`;
    const { id } = await createPerson(world.database.db, {
      email,
      fullName: `Owner ${number}`,
      businessName: `Business ${number}`,
    });
    const [row] = await world.sql`
      select business_id from public.business_members where user_id = ${id}`;
    made.push({
      who: { userId: id, email, role: 'authenticated' },
      business: row?.business_id,
    });
  }
  return made;
}
/** Leaves this many seats free. */
const leaveFree = (count: number) =>
  world.sql`
    delete from public.seats where program_id = ${ids.program} and state = 'unassigned' and number > ${count}`;

test('Only a program’s sponsors read it; to everyone else it doesn’t exist', async () => {
  for (const who of [owner, coach, admin, otherOwner]) {
    expect(await world.ask(who, 'get_program($1)', [ids.program])).toBeNull();
  }
  expect((await world.ask(sponsor, 'get_program($1)', [ids.program])).seats).toEqual({
    all: 20,
    free: 20,
    taken: 0,
    ended: 0,
  });
});

test('Codes and invitations are made by sponsors and admins only', async () => {
  const missing = 'P0002 We can’t find this program.';
  const only = { sponsor: 1, admin: 1 };
  await expectCallers(
    world,
    `create_seat_code(gen_random_uuid(), '${ids.program}', 5)`,
    missing,
    only,
  );
  await expectCallers(
    world,
    `invite_to_program('${ids.program}', '{ann@example.test}', 'Hello')`,
    missing,
    only,
  );
  const code = crypto.randomUUID();
  await world.ask(sponsor, 'create_seat_code($1, $2, 5)', [code, ids.program]);
  await expectCallers(world, `revoke_seat_code('${code}')`, missing, only);
});

test('Only an admin makes and changes programs, names sponsors and passes on seats', async () => {
  const only = { admin: 1 };
  const denied = '42501 Only an admin can do this.';
  await expectCallers(
    world,
    `give_program(gen_random_uuid(), 'A', 'B', 5, 4, current_date, current_date + 9, 'why')`,
    denied,
    only,
  );
  await expectCallers(
    world,
    `set_sponsor('${ids.program}', 'ann@example.test', true)`,
    denied,
    only,
  );
  await expectCallers(world, `admin_get_program('${ids.program}')`, denied, only);
  await expectCallers(world, `admin_seats('{"program": "${ids.program}"}')`, denied, only);
  await expectCallers(world, 'admin_programs()', denied, only);
  await expectCallers(world, `pass_on_seat(gen_random_uuid(), 'why')`, denied, {
    admin: 'P0002 We can’t find this program.',
  });
  await expectCallers(world, `save_program('${ids.program}', '{}')`, denied, {
    admin: '22023 Enter its first day.',
  });
});

test('A program takes so many postal codes and domains, and says so', async () => {
  const said = {
    name: 'A',
    sponsor: 'B',
    starts_on: '2026-01-01',
    ends_on: '2026-12-31',
    groups_by: 'none',
    consent: 'They pay for this seat, and see totals only.',
  };
  const many = Array.from({ length: 201 }, (_, number) => `${number}`);
  const refusalTo = (change: object) =>
    world.refusal(admin, 'save_program($1, $2)', [ids.program, { ...said, ...change }]);
  expect(await refusalTo({ postal_prefixes: many })).toMatch(/^22023 Enter at most 200 postal/);
  expect(await refusalTo({ email_domains: many })).toBe('22023 Enter at most 50 domains.');
});

test('An owner takes a seat by a code, and the business has its sessions', async () => {
  const code = await codeOf();
  expect(code).toMatch(/^[A-Z]{3,8}-[2-9A-HJ-NP-Z]{5}$/);
  expect(await offer(people.visitor, code)).toBe('open');
  // As people type it.
  expect(await offer(owner, ` ${code.toLowerCase().replace('-', ' ')}`)).toBe('open');
  const taken = await take(owner, ids.alder, code);
  expect(taken).toMatchObject({ outcome: 'taken', program_id: ids.program });
  const [grant] = await world.sql`
    select kind, sessions, source from public.session_grants
    where business_id = ${ids.alder} and kind = 'seat'`;
  expect(grant).toEqual({ kind: 'seat', sessions: 4, source: `seat:${taken.seat_id}` });
  expect(await take(owner, ids.alder, code)).toMatchObject({ outcome: 'yours' });
  expect(await take(colleague, ids.alder, code)).toMatchObject({ outcome: 'business-has-one' });
});

test('A code and a seat’s sessions are good through the evening of their last day', async () => {
  const [program] = await world.sql`
    select ends_on::text as day from public.programs where id = ${ids.program}`;
  const id = crypto.randomUUID();
  const { codes } = await world.ask(sponsor, 'create_seat_code($1, $2, 5, $3)', [
    id,
    ids.program,
    program?.day,
  ]);
  await take(owner, ids.alder, codes[0].code);
  const rows = await world.sql`
    select to_char(x.at at time zone private.coaching_zone(), 'YYYY-MM-DD HH24:MI') as until
    from (
      select expires_at as at from public.seat_codes where id = ${id}
      union all
      select ends_at from public.session_grants where business_id = ${ids.alder} and kind = 'seat'
    ) x`;
  expect(rows.map(({ until }) => until)).toEqual(Array(2).fill(`${program?.day} 23:59`));
});

test('An owner takes a seat while a payment for it is recorded', async () => {
  const order = await ordersIn(world).placed({
    business_id: null,
    plan: 'sponsor-seats',
    quantity: 10,
    expected_minor: null,
  });
  await world.ask(admin, `quote_order_lines('${order}', 10, 70000, 0, false, 'agreed')`);
  await world.ask(owner, `send_purchase_order('${order}', 'PO-1')`);
  await world.ask(admin, `invoice_order('${order}', 'confirmed')`);
  const { program_id: program } = await world.ask(admin, `admin_get_order('${order}')`);
  const { codes } = await world.ask(admin, 'create_seat_code(gen_random_uuid(), $1, 5)', [program]);
  const taken = await world.sql.begin(async (tx) => {
    await tx`select from public.orders where id = ${order} for update`;
    const taking = take(otherOwner, ids.birch, codes[0].code);
    taking.catch(() => null);
    await someoneWaits(world.sql);
    await tx`select private.settle_order(${order})`;
    return { taking };
  });
  expect(await taken.taking).toMatchObject({ outcome: 'taken' });
});

test('A code says why it doesn’t work', async () => {
  const code = await codeOf(1);
  expect(await offer(owner, 'OLIVE-22222')).toBe('unknown');
  await take(owner, ids.alder, code);
  expect(await offer(otherOwner, code)).toBe('used-up');
  const other = await codeOf();
  await world.sql`update public.seat_codes set expires_at = now() where code = ${other}`;
  expect(await offer(otherOwner, other)).toBe('expired');
  await world.sql`update public.seat_codes set revoked_at = now() where code = ${other}`;
  expect(await offer(otherOwner, other)).toBe('revoked');
  const third = await codeOf();
  await world.sql`update public.programs set ends_on = private.coaching_day() - 1, starts_on = private.coaching_day() - 9`;
  expect(await offer(otherOwner, third)).toBe('over');
  expect(await take(otherOwner, ids.birch, third)).toMatchObject({ outcome: 'over' });
});

test('Only businesses that the program is for get a seat', async () => {
  const code = await codeOf();
  await world.sql`update public.programs set postal_prefixes = '{871}'`;
  await world.sql`update public.businesses set postal_code = '87501' where id = ${ids.alder}`;
  await world.sql`update public.businesses set postal_code = null where id = ${ids.birch}`;
  expect(await take(owner, ids.alder, code)).toMatchObject({ outcome: 'postal-code' });
  expect(await take(otherOwner, ids.birch, code)).toMatchObject({ outcome: 'no-postal-code' });
  const said = await world.ask(otherOwner, 'take_seat($1, 1, false, $2, null, $3)', [
    ids.birch,
    code,
    '87102',
  ]);
  expect(said.outcome).toBe('taken');
  await world.sql`update public.programs set postal_prefixes = '{}', email_domains = '{county.test}'`;
  expect(await take(owner, ids.alder, code)).toMatchObject({ outcome: 'address' });
});

test('A changed text has to be read again, and no one takes a seat for someone else’s business', async () => {
  const code = await codeOf();
  expect(await world.ask(owner, 'take_seat($1, 2, true, $2)', [ids.alder, code])).toMatchObject({
    outcome: 'consent-changed',
  });
  expect(await world.refusal(owner, 'take_seat($1, 1, true, $2)', [ids.birch, code])).toBe(
    '42501 You don’t belong to this business.',
  );
});

test('Someone who guesses codes is stopped, even for the right one; everyone else isn’t', async () => {
  const code = await codeOf();
  for (let guess = 0; guess < 10; guess++) {
    expect(await offer(owner, `OLIVE-${String(guess).padStart(5, '2')}`)).toBe('unknown');
  }
  expect(await world.refusal(owner, 'get_seat_offer($1)', [code])).toMatch(
    /^PT429 That’s too many codes that don’t exist/,
  );
  expect(await world.refusal(owner, 'take_seat($1, 1, true, $2)', [ids.alder, code])).toMatch(
    /^PT429/,
  );
  expect(await offer(otherOwner, code)).toBe('open');
});

test('An invitation holds a seat for its address and for nobody else', async () => {
  const said = await world.ask(sponsor, 'invite_to_program($1, $2, $3)', [
    ids.program,
    [owner.email, 'new@example.test'],
    'From the county',
  ]);
  expect(said.sent).toBe(2);
  const [seat] = await world.sql`select id from public.seats where address = ${owner.email}`;
  expect(await offer(people.visitor, null, seat?.id)).toBe('open');
  expect(await offer(otherOwner, null, seat?.id)).toBe('other-address');
  const takes = 'take_seat($1, 1, false, null, $2)';
  expect(await world.ask(otherOwner, takes, [ids.birch, seat?.id])).toMatchObject({
    outcome: 'other-address',
  });
  expect(await world.ask(owner, takes, [ids.alder, seat?.id])).toMatchObject({ outcome: 'taken' });
  // Nothing that the sponsor reads has an address or a name in it.
  const seen = JSON.stringify(await world.ask(sponsor, 'get_program($1)', [ids.program]));
  for (const words of [owner.email, 'new@example.test', 'Alder', ids.alder]) {
    expect(seen).not.toContain(words);
  }
  // Nobody came: after 30 days, the seat is free again.
  await world.sql`update public.seats set reserved_until = now() where state = 'assigned'`;
  expect((await world.sql`select private.keep_seats() as done`)[0]?.done.freed).toBe(1);
});

test('When seats are out, owners wait in line, and the next one is offered a freed seat', async () => {
  const code = await codeOf();
  await leaveFree(1);
  const [first, second, third] = await owners(3);
  if (!first || !second || !third) throw new Error('Three owners');
  await take(first.who, first.business, code);
  expect(await offer(second.who, code)).toBe('full');
  for (const { who } of [second, third]) {
    expect(await world.ask(who, 'wait_for_seat($1)', [code])).toEqual({ outcome: 'waiting' });
  }
  expect(await offer(second.who, code)).toBe('waiting');
  const [{ id } = { id: '' }] = await world.ask(first.who, 'list_own_seats()');
  await world.ask(first.who, 'leave_program($1)', [id]);
  const [told] = await world.sql`
    select user_id, path from public.notifications where key like 'seat_offer:%'`;
  expect(told?.user_id).toBe(second.who.userId);
  const seat = told?.path.split('=')[1];
  expect(await offer(third.who, null, seat)).toBe('other-address');
  expect(
    await world.ask(second.who, 'take_seat($1, 1, false, null, $2)', [second.business, seat]),
  ).toMatchObject({ outcome: 'taken' });
});

test('The last free seat goes to one of two owners who take it at once', async () => {
  const code = await codeOf();
  await leaveFree(1);
  const two = await owners(2);
  const said = await Promise.all(two.map(({ who, business }) => take(who, business, code)));
  expect(said.map(({ outcome }) => outcome).toSorted()).toEqual(['full', 'taken']);
});

test('Whoever comes a moment after a code was ended or used up is told so', async () => {
  const ending = await codeOf();
  const ended = await pause(world.sql, sponsor, async (tx) => {
    await tx`
      select public.revoke_seat_code((c ->> 'id')::uuid)
      from jsonb_array_elements(public.get_program(${ids.program}) -> 'codes') c
      where c ->> 'code' = ${ending}`;
  });
  const late = take(owner, ids.alder, ending);
  await someoneWaits(world.sql);
  await ended.finish();
  expect(await late).toMatchObject({ outcome: 'revoked' });

  const single = await codeOf(1);
  const first = await pause(world.sql, otherOwner, (tx) => {
    return tx`select public.take_seat(${ids.birch}, 1, true, ${single})`;
  });
  const second = take(owner, ids.alder, single);
  await someoneWaits(world.sql);
  await first.finish();
  expect(await second).toMatchObject({ outcome: 'used-up' });
});

test('A seat without a session can be passed on after 90 days, and not before', async () => {
  const { seat_id } = await take(owner, ids.alder, await codeOf());
  const passOn = 'pass_on_seat($1, $2)';
  expect(await world.refusal(admin, passOn, [seat_id, 'No answer'])).toBe(
    '55000 An owner has 90 days for a first session.',
  );
  await world.sql`update public.seats set activated_at = now() - interval '91 days' where id = ${seat_id}`;
  await world.sql`update public.programs set starts_on = current_date - 95`;
  await world.sql`select private.keep_seats()`;
  const told =
    await world.sql`select from public.notifications where key = ${`seat_unused:${seat_id}`}`;
  expect(told.count).toBe(2);
  const program = await world.ask(admin, passOn, [seat_id, 'No answer']);
  expect(program.seats).toEqual({ all: 20, free: 20, taken: 0, ended: 0 });
  const [grant] = await world.sql`
    select sessions from public.session_grants where source = ${`seat:${seat_id}`}`;
  expect(grant?.sessions).toBe(0);
});

test('Seats end with their program', async () => {
  const { seat_id } = await take(owner, ids.alder, await codeOf());
  await world.sql`update public.programs set starts_on = current_date - 400, ends_on = current_date - 2`;
  await world.sql`select private.keep_seats()`;
  const states = await world.sql`select distinct state from public.seats`;
  expect(states).toEqual([{ state: 'expired' }]);
  expect((await world.ask(owner, 'list_own_seats()'))[0]).toMatchObject({
    id: seat_id,
    state: 'expired',
  });
});

test('Seats follow what was paid for: free ones go first, then reserved ones, then the newest unused', async () => {
  const order = crypto.randomUUID();
  await world.sql`
    insert into public.orders (id, buyer_id, method, currency, billing_organization)
    values (${order}, ${sponsor.userId}, 'purchase_order', 'USD', 'Sandoval County')`;
  await world.sql`
    insert into public.plans (key, name, position, gives, sessions, months, fewest, most)
    values ('sponsor-seats', 'Sponsor seats', 9, 'seat', 4, 12, 1, 1000) on conflict do nothing`;
  await world.sql`
    insert into public.order_lines (order_id, position, plan_key, description, quantity, unit_minor)
    values (${order}, 1, 'sponsor-seats', 'Sponsor seats', 10, 36000)`;
  const settle = (seats: number) => world.sql`select private.settle_seats(${order}, ${seats})`;
  await settle(10);
  await settle(10);
  const [program] =
    await world.sql`select id, sponsor from public.programs where order_id = ${order}`;
  expect(program?.sponsor).toBe('Sandoval County');
  const counts = async () => {
    const rows = await world.sql`
      select state, count(*)::int as n from public.seats where program_id = ${program?.id}
      group by state order by state`;
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  };
  expect(await counts()).toEqual({ unassigned: 10 });
  expect(await world.ask(sponsor, 'get_program($1)', [program?.id])).toMatchObject({
    seats: { free: 10 },
  });
  await world.ask(sponsor, 'invite_to_program($1, $2, $3)', [program?.id, ['a@b.test'], null]);
  const code = crypto.randomUUID();
  const { codes } = await world.ask(sponsor, 'create_seat_code($1, $2, 9)', [code, program?.id]);
  await take(owner, ids.alder, codes[0].code);
  await settle(3);
  expect(await counts()).toEqual({ activated: 1, assigned: 1, revoked: 7, unassigned: 1 });
  await settle(1);
  expect(await counts()).toEqual({ activated: 1, revoked: 9 });
  await settle(0);
  expect(await counts()).toEqual({ revoked: 10 });
  await settle(2);
  expect(await counts()).toEqual({ revoked: 10, unassigned: 2 });
});

test('A program’s text is kept as it was agreed to', async () => {
  const tried = world.sql`update public.program_consents set body = 'Something else entirely, made up later.'`;
  expect(await refusalOf(tried)).toMatch(/^55000/);
  await asPerson(world.sql, admin, async () => {});
});

test('When an account or its business is deleted, its seat ends and its reservations are free', async () => {
  await take(owner, ids.alder, await codeOf());
  await world.ask(sponsor, 'invite_to_program($1, $2, $3)', [
    ids.program,
    [otherOwner.email],
    null,
  ]);
  await world.sql`select private.delete_account(${otherOwner.userId})`;
  await world.sql`select private.end_seats_of(${ids.alder})`;
  const [row] = await world.sql`
    select count(*) filter (where state = 'assigned')::int as assigned,
      count(*) filter (where state = 'expired' and withdrawn_at is not null)::int as ended
    from public.seats`;
  expect(row).toEqual({ assigned: 0, ended: 1 });
});

test('An admin reads seats a page at a time, of one program and in one state', async () => {
  const id = crypto.randomUUID();
  await world.ask(
    admin,
    `give_program('${id}', 'A', 'B', 30, 4, current_date, current_date + 9, 'a test')`,
  );
  const page = async (filter: object, place: unknown = null) =>
    world.ask(admin, 'admin_seats($1, $2)', [{ program: id, ...filter }, place]);
  const first = await page({});
  expect([first.rows.length, first.more, first.count.total]).toEqual([25, true, 30]);
  const { key, id: last } = first.rows.at(-1);
  const second = await page({}, { way: 'after', key, id: last });
  expect(second.rows.map(({ number }: { number: number }) => number)).toEqual([26, 27, 28, 29, 30]);
  expect((await page({ state: 'activated' })).rows).toEqual([]);
  expect((await page({ program: crypto.randomUUID() })).rows).toEqual([]);
});
