import { describe, expect, test } from 'vitest';
import type { EventDate } from '#backend/local/seed-events.ts';
import { connect } from '../../fixtures/connection.ts';
import { createNewcomer, everyone, expectReaders, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin } = people;

let count = 0;
/** A date of an event that starts in `hours`. */
async function plan({ places = 1, hours = 24 * 30, online_link = null as string | null } = {}) {
  count += 1;
  const slug = `event-${count}`;
  const [row] = await sql`
    insert into public.events (slug, occasion, title, starts_at, minutes, time_zone, place, online_link, places)
    values (
      ${slug}, '', ${`Event ${count}`}, now() + make_interval(hours => ${hours}), 60,
      'America/Denver', 'Library, 9 Example Street', ${online_link}, ${places}
    )
    returning id`;
  return { id: String(row?.id), slug };
}
let callers = 0;
/** A visitor somewhere else each time. */
const someone = () => `network ${++callers}:sender`;
const askFor = (slug: string, email: string, caller = someone()) =>
  sql`select private.ask_for_place(${caller}, ${slug}, '', ${email}, 'Ann', 'A plan')`;
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
  );
/** Emails about places to an address, the latest last. */
const letters = (email: string) =>
  sql<{ template: string; data: Record<string, string> }[]>`
    select template, data from private.mails
    where to_address = ${email} and template like 'event-%' order by created_at, id`;
const templates = async (email: string) => (await letters(email)).map(({ template }) => template);
/** The secret of an address's latest link. */
async function secretOf(email: string) {
  const [link] = await sql`
    select data ->> 'path' as path from private.mails
    where to_address = ${email} and data ->> 'path' like '/confirm/place/%' order by created_at desc, id limit 1`;
  return String(link?.path).replace('/confirm/place/', '');
}
const use = async (email: string, what: 'confirm' | 'cancel') =>
  sql`select private.use_event_link(${await secretOf(email)}, ${what}) as done`;
const take = async (slug: string, email: string) => {
  await askFor(slug, email);
  await use(email, 'confirm');
};
const states = async (eventId: string) =>
  Object.fromEntries(
    (
      await sql`
        select email, state from public.event_signups where event_id = ${eventId} order by queued_at`
    ).map(({ email, state }) => [String(email).split('@')[0], state]),
  );
const address = (name: string) => `${name}-${count}@event.test`;

describe('Nobody reads', () => {
  test.each(['events', 'event_signups'])('%s but through procedures', async (table) => {
    const { slug } = await plan();
    await askFor(slug, address('ann'));
    const nobody = `42501 permission denied for table ${table}`;
    await expectReaders(world, table, 'id', everyone(nobody));
  });

  test('a place without the secret of its link', async () => {
    expect(await ask(people.visitor, 'get_event_place($1)', ['0'.repeat(64)])).toBeNull();
    const { slug, id } = await plan();
    await askFor(slug, address('ann'));
    const [row] = await sql`select id from public.event_signups where event_id = ${id}`;
    expect(await ask(people.owner, 'open_event_place($1)', [row?.id])).toEqual({ path: null });
    expect(await ask(people.admin, 'open_event_place($1)', [row?.id])).toEqual({ path: null });
    // Only a hash of it is stored.
    const secret = await secretOf(address('ann'));
    const [stored] = await sql`
      select count(*)::int as n from private.event_links where encode(secret_hash, 'hex') = ${secret}`;
    expect(stored).toEqual({ n: 0 });
  });

  test('the online link but people with a place', async () => {
    const { slug } = await plan({ online_link: 'https://meet.example.com/x' });
    await askFor(slug, address('ann'));
    expect(JSON.stringify(await letters(address('ann')))).not.toContain('meet.example.com');
    const secret = await secretOf(address('ann'));
    expect(await ask(people.visitor, 'get_event_place($1)', [secret])).toMatchObject({
      state: 'held',
      online_link: null,
    });
    await use(address('ann'), 'confirm');
    expect(await ask(people.visitor, 'get_event_place($1)', [secret])).toMatchObject({
      state: 'taken',
      online_link: 'https://meet.example.com/x',
    });
  });
});

describe('Someone who asks for a place', () => {
  test('has it once they confirm it, and gets each email once', async () => {
    const { slug, id } = await plan();
    await askFor(slug, address('ann'));
    expect(await states(id)).toEqual({ [`ann-${count}`]: 'held' });
    await use(address('ann'), 'confirm');
    await use(address('ann'), 'confirm');
    expect(await states(id)).toEqual({ [`ann-${count}`]: 'taken' });
    expect(await templates(address('ann'))).toEqual(['event-held', 'event-taken']);
  });

  test('waits if all places are held, and hears their turn', async () => {
    const { slug, id } = await plan();
    for (const name of ['ann', 'ben', 'cleo']) await askFor(slug, address(name));
    expect(Object.values(await states(id))).toEqual(['held', 'waiting', 'waiting']);
    const [mail] = await letters(address('cleo'));
    expect(mail).toMatchObject({ template: 'event-waiting', data: { position: 2 } });
    expect(await ask(people.visitor, 'list_event_places($1)', [slug])).toMatchObject([
      { places: 1, left: 0, state: 'planned' },
    ]);
  });

  test('again changes nothing, and only the mailbox hears of it, three times a day', async () => {
    const { slug, id } = await plan();
    await take(slug, address('ann'));
    for (let turn = 0; turn < 5; turn += 1) {
      await sql`select private.ask_for_place(${someone()}, ${slug}, '', ${address('ANN').toUpperCase()}, 'Mallory', 'x')`;
    }
    const [row] = await sql`select name, state from public.event_signups where event_id = ${id}`;
    expect(row).toEqual({ name: 'Ann', state: 'taken' });
    expect((await templates(address('ann'))).slice(2)).toEqual(Array(3).fill('event-taken'));
  });

  test('after they canceled is last in line', async () => {
    const { slug, id } = await plan();
    for (const name of ['ann', 'ben']) await askFor(slug, address(name));
    await use(address('ann'), 'cancel');
    await askFor(slug, address('ann'));
    expect(await states(id)).toEqual({ [`ben-${count}`]: 'offered', [`ann-${count}`]: 'waiting' });
  });

  test('is refused in words if it’s canceled, over, unknown, or too often from one place', async () => {
    const off = await plan();
    await ask(admin, "cancel_event($1, 'No heat.')", [off.id]);
    expect(await errorOf(askFor(off.slug, 'a@event.test'))).toBe('22023 This event was canceled.');
    const over = await plan({ hours: -1 });
    expect(await errorOf(askFor(over.slug, 'a@event.test'))).toBe(
      '22023 This event has already started.',
    );
    expect(await errorOf(askFor('nothing', 'a@event.test'))).toContain('22023 You can’t sign up');
    const { slug, id } = await plan({ places: 50 });
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        errorOf(askFor(slug, `many-${n}@event.test`, 'network:robot')),
      ),
    );
    expect(tries.filter((each) => each.startsWith('PT429'))).toHaveLength(4);
    expect(Object.keys(await states(id))).toHaveLength(8);
  });

  test('whose mailbox has had enough emails today holds no place that they couldn’t confirm', async () => {
    const { slug, id } = await plan({ places: 5 });
    await sql`
      insert into public.rate_limits (key, hits, expires_at)
      values (private.mailbox_key('mail-by-anyone', ${address('full')}), 100, now() + interval '1 day')`;
    await askFor(slug, address('full'));
    expect(Object.values(await states(id))).toEqual(['lapsed']);
  });
});

test('Fifty people who ask at once for twenty places get twenty, and thirty wait', async () => {
  const { slug, id } = await plan({ places: 20 });
  const connections = Array.from({ length: 10 }, () => connect(world.database.url, 1));
  try {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        connections[n % 10]?.unsafe(
          `select private.ask_for_place('${someone()}', '${slug}', '', 'crowd-${n}@event.test', 'N', '')`,
        ),
      ),
    );
    const all = Object.values(await states(id));
    expect(all.filter((state) => state === 'held')).toHaveLength(20);
    expect(all.filter((state) => state === 'waiting')).toHaveLength(30);
    // Half of them cancel at once: each free place is offered to one person.
    await Promise.all(
      (
        await sql`select email from public.event_signups where event_id = ${id} and state = 'held' limit 10`
      ).map(async ({ email }, n) =>
        connections[n]?.unsafe(
          `select private.use_event_link('${await secretOf(String(email))}', 'cancel')`,
        ),
      ),
    );
    const later = Object.values(await states(id));
    expect(later.filter((state) => state === 'offered')).toHaveLength(10);
    expect(
      later.filter((state) => ['held', 'offered', 'taken'].includes(String(state))),
    ).toHaveLength(20);
  } finally {
    await Promise.all(connections.map((each) => each.end()));
  }
});

describe('A free place', () => {
  const expire = (eventId: string) => sql`
    update public.event_signups set due_at = now() - interval '1 minute'
    where event_id = ${eventId} and due_at is not null`;

  test('goes to the next if nobody confirms or accepts it in time, and then to the one after', async () => {
    const { slug, id } = await plan();
    for (const name of ['ann', 'ben', 'cleo']) await askFor(slug, address(name));
    await expire(id);
    await sql`select private.keep_event_places()`;
    await sql`select private.keep_event_places()`;
    expect(Object.values(await states(id))).toEqual(['lapsed', 'offered', 'waiting']);
    expect(await templates(address('ben'))).toEqual(['event-waiting', 'event-offer']);
    // Confirming what went to someone else changes nothing.
    await use(address('ann'), 'confirm');
    await expire(id);
    await sql`select private.keep_event_places()`;
    expect(Object.values(await states(id))).toEqual(['lapsed', 'lapsed', 'offered']);
    await use(address('cleo'), 'confirm');
    expect(Object.values(await states(id))).toEqual(['lapsed', 'lapsed', 'taken']);
  });

  test('is kept for two days, and for half of what’s left shortly before', async () => {
    const hoursKept = async (hours: number) => {
      const { slug, id } = await plan({ hours });
      for (const name of ['ann', 'ben']) await askFor(slug, address(name));
      await use(address('ann'), 'cancel');
      const [row] = await sql`
        select round(extract(epoch from due_at - now()) / 3600)::int as hours
        from public.event_signups where event_id = ${id} and state = 'offered'`;
      return row?.hours;
    };
    expect(await hoursKept(24 * 10)).toBe(48);
    expect(await hoursKept(10)).toBe(5);
  });

  test('isn’t offered to someone who’d pass the line', async () => {
    const { slug, id } = await plan();
    for (const name of ['ann', 'ben']) await askFor(slug, address(name));
    await use(address('ann'), 'cancel');
    await askFor(slug, address('cleo'));
    expect(await states(id)).toEqual({
      [`ann-${count}`]: 'canceled',
      [`ben-${count}`]: 'offered',
      [`cleo-${count}`]: 'waiting',
    });
  });
});

test('People are reminded the day and the hour before, each once, and again if the date moves', async () => {
  const { slug, id } = await plan({ places: 5 });
  await take(slug, address('ann'));
  await askFor(slug, address('ben'));
  const startIn = (interval: string) => sql`
    update public.events set starts_at = now() + ${interval}::interval where id = ${id}`;
  await sql`update public.event_signups set taken_at = now() - interval '3 days' where event_id = ${id} and state = 'taken'`;
  await startIn('20 hours');
  await sql`select private.keep_event_places()`;
  await sql`select private.keep_event_places()`;
  await startIn('40 minutes');
  await sql`select private.keep_event_places()`;
  await sql`select private.keep_event_places()`;
  const sent = (await letters(address('ann'))).filter((each) => each.template === 'event-reminder');
  expect(sent.map(({ data }) => data.stage)).toEqual(['day', 'hour']);
  expect(await templates(address('ben'))).not.toContain('event-reminder');
});

describe('What content/ says', () => {
  const date = (over: Partial<EventDate> = {}): EventDate => ({
    slug: 'from-content',
    occasion: '2099-01',
    title: 'A workshop',
    starts_at: '2099-01-13T00:30:00.000Z',
    minutes: 60,
    time_zone: 'America/Denver',
    place: 'Library',
    address: null,
    online_link: null,
    places: 1,
    canceled: false,
    ...over,
  });
  const seed = async (...dates: EventDate[]) =>
    (await sql`select private.seed_events(${sql.json(dates as never)}) as left`)[0]?.left;
  const ask99 = (email: string) =>
    sql`select private.ask_for_place(${someone()}, 'from-content', '2099-01', ${email}, 'Ann', '')`;

  test('changes dates and places without losing anyone, and tells them once', async () => {
    await seed(date());
    for (const name of ['ann', 'ben']) await ask99(`${name}-99@event.test`);
    await seed(date({ starts_at: '2099-01-20T00:30:00.000Z' }));
    await seed(date({ starts_at: '2099-01-20T00:30:00.000Z' }));
    expect(await templates('ann-99@event.test')).toEqual(['event-held', 'event-moved']);
    const [mail] = (await letters('ann-99@event.test')).slice(-1);
    expect(mail?.data).toMatchObject({
      was_when: 'Monday, January 12, 2099, 5:30 PM MST',
      when: 'Monday, January 19, 2099, 5:30 PM MST',
    });
    // One place more goes to the next in line.
    await seed(date({ starts_at: '2099-01-20T00:30:00.000Z', places: 2 }));
    expect(await templates('ben-99@event.test')).toEqual([
      'event-waiting',
      'event-moved',
      'event-offer',
    ]);
  });

  test('that it’s gone leaves people their places and says so; what nobody asked for goes', async () => {
    await seed(date(), date({ occasion: '2099-02', starts_at: '2099-02-10T00:30:00.000Z' }));
    const left = await seed();
    expect(left).toContain('from-content');
    const [rest] = await sql`
      select count(*)::int as n from public.events where slug = 'from-content'`;
    expect(rest).toEqual({ n: 1 });
  });

  test('that it’s canceled tells everyone, once and for good', async () => {
    await seed(date({ canceled: true }));
    await seed(date({ canceled: true }));
    await seed(date());
    for (const name of ['ann', 'ben']) {
      const all = await templates(`${name}-99@event.test`);
      expect(all.filter((each) => each === 'event-canceled')).toHaveLength(1);
    }
    const [row] = await sql`select state from public.events where slug = 'from-content'`;
    expect(row).toEqual({ state: 'canceled' });
  });
});

describe('An admin', () => {
  const idOf = async (email: string) =>
    (await sql`select id from public.event_signups where email = ${email}`)[0]?.id;

  test('gives a place only if there’s one, and never more than there are', async () => {
    const { slug, id } = await plan();
    for (const name of ['ann', 'ben']) await askFor(slug, address(name));
    const ben = await idOf(address('ben'));
    expect(await refusal(admin, 'give_event_place($1)', [ben])).toMatch(/^55000 All 1 places/);
    expect(await ask(admin, 'give_event_place($1)', [await idOf(address('ann'))])).toMatchObject({
      taken: 1,
      waiting: 1,
    });
    expect(await templates(address('ann'))).toEqual(['event-held', 'event-taken']);
    expect((await states(id))[`ben-${count}`]).toBe('waiting');
  });

  test('cancels someone’s place with a reason that they get, and the next is offered it', async () => {
    const { slug } = await plan();
    for (const name of ['ann', 'ben']) await askFor(slug, address(name));
    const ann = await idOf(address('ann'));
    expect(await refusal(admin, "cancel_event_place($1, '')", [ann])).toMatch(/^22023/);
    await ask(admin, "cancel_event_place($1, 'You called us.')", [ann]);
    await ask(admin, "cancel_event_place($1, 'You called us.')", [ann]);
    const all = await letters(address('ann'));
    expect(all.map(({ template }) => template)).toEqual(['event-held', 'event-removed']);
    expect(all[1]?.data.reason).toBe('You called us.');
    expect(await templates(address('ben'))).toContain('event-offer');
  });

  test('marks who came when people are there, not before', async () => {
    const later = await plan();
    await take(later.slug, address('ann'));
    const early = await idOf(address('ann'));
    expect(await refusal(admin, 'mark_event_attendance($1, true)', [early])).toBe(
      '55000 The event hasn’t started yet.',
    );
    await sql`update public.events set starts_at = now() - interval '5 minutes' where id = ${later.id}`;
    expect(await ask(admin, 'mark_event_attendance($1, true)', [early])).toMatchObject({ came: 1 });
    expect(await ask(admin, 'mark_event_attendance($1, null)', [early])).toMatchObject({ came: 0 });
  });

  test('finds people of one event by name, and the log says that they looked', async () => {
    const { slug, id } = await plan({ places: 3 });
    for (const name of ['ann', 'ben']) await askFor(slug, address(name));
    const filter = sql.json({ event: id, words: `ben-${count}` });
    const { rows } = await ask(admin, 'admin_event_signups($1)', [filter]);
    expect(rows.map(({ email }: { email: string }) => email)).toEqual([address('ben')]);
    const [entry] = await sql`
      select action, entity_id from public.audit_log order by id desc limit 1`;
    expect(entry).toEqual({ action: 'event.list_people', entity_id: id });
    expect(await refusal(admin, 'admin_event_signups($1)', [sql.json({ event: 'x' })])).toMatch(
      /^22023/,
    );
  });
});

describe('Someone with an account', () => {
  test('sees their place on the dashboard, in their calendar and in notifications, and takes it along', async () => {
    const { userId, email, ...session } = await createNewcomer(world);
    const me = { userId, email, ...session };
    const { slug, id } = await plan();
    await take(slug, email);
    await askFor(slug, address('ben'));
    const { events } = (await ask(me, 'get_home(null)')).dashboard;
    expect(events).toMatchObject([{ state: 'taken', place: 'Library, 9 Example Street' }]);
    const { path } = await ask(me, 'open_event_place($1)', [events[0].id]);
    expect(await ask(people.visitor, 'get_event_place($1)', [path.slice(-64)])).toMatchObject({
      state: 'taken',
    });
    const told = await sql`
      select title, path from public.notifications where user_id = ${userId} and kind = 'event' order by created_at, title`;
    expect(told).toMatchObject([
      { title: `Confirm your place: Event ${count}`, path: `/dashboard/events/${events[0].id}` },
      { title: `You have a place: Event ${count}` },
    ]);
    const feed = await ask(me, 'make_calendar_feed()');
    const [calendar] = await sql`
      select private.calendar_of(null, ${String(feed.path).slice(-64)}) as feed`;
    expect(calendar?.feed.sessions).toMatchObject([
      { title: `Event ${count}`, path: '/dashboard' },
    ]);
    const archive = await ask(me, 'export_account()');
    expect(archive.tables.event_signups).toMatchObject([{ name: 'Ann', wish: 'A plan' }]);

    await sql`select private.delete_account(${userId})`;
    expect(await states(id)).toMatchObject({ null: 'canceled', [`ben-${count}`]: 'offered' });
    const [left] = await sql`
      select count(*)::int as n from private.event_links l
      join public.event_signups s on s.id = l.signup_id where s.event_id = ${id} and s.email is null`;
    expect(left).toEqual({ n: 0 });
  });

  test('whose address someone else types doesn’t see a place that isn’t under it', async () => {
    const { slug } = await plan();
    await askFor(slug, people.otherOwner.email);
    const { events } = (await ask(people.owner, 'get_home(null)')).dashboard;
    expect(events).toEqual([]);
  });
});

test('A year after an event we know how many came, and not who', async () => {
  const { slug, id } = await plan({ places: 5 });
  for (const name of ['ann', 'ben']) await take(slug, address(name));
  await sql`update public.event_signups set came = true where event_id = ${id}`;
  await sql`update public.events set starts_at = now() - interval '366 days' where id = ${id}`;
  await sql`select private.delete_old_event_people()`;
  expect(await ask(admin, 'admin_event($1)', [id])).toMatchObject({ taken: 2, came: 2 });
  const rows = await sql`
    select email, name, wish, words::text from public.event_signups where event_id = ${id}`;
  expect(rows).toEqual(Array(2).fill({ email: null, name: null, wish: null, words: '' }));
});
