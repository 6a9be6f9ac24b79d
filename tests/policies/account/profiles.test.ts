import { expect, test } from 'vitest';
import { everyone, openWorld, refusalOf, whoMay, whoReads } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, as } = world;
const { owner, otherOwner } = people;

const denied = '42501 permission denied for table profiles';

test('Nobody makes or removes a profile, and only its own person edits it', async () => {
  expect(
    await whoMay(
      world,
      (sql) => sql`insert into public.profiles (user_id) values (gen_random_uuid())`,
    ),
  ).toEqual(everyone(denied));
  expect(await whoMay(world, (sql) => sql`delete from public.profiles`)).toEqual(everyone(denied));
  expect(
    await whoMay(world, (sql) => sql`update public.profiles set full_name = 'Mallory'`),
  ).toEqual(everyone(1, { visitor: denied, ownerWithoutCode: 0 }));
  expect(
    await whoMay(
      world,
      (sql) =>
        sql`update public.profiles set full_name = 'Mallory' where user_id = ${owner.userId}`,
    ),
  ).toEqual(everyone(0, { visitor: denied, owner: 1 }));
});

test('Nobody gives their profile to somebody else or dates it back', async () => {
  expect(
    await whoMay(world, (sql) => sql`update public.profiles set user_id = gen_random_uuid()`),
  ).toEqual(everyone(denied));
  expect(await whoMay(world, (sql) => sql`update public.profiles set created_at = now()`)).toEqual(
    everyone(denied),
  );
});

test('Nobody sets a picture past its procedure, an unknown time zone or a broken locale', async () => {
  const set = (column: string, value: string) =>
    refusalOf(as(owner)`update public.profiles set ${sql({ [column]: value })}`);
  // Only set_avatar can change the picture.
  expect(await set('avatar_path', `${owner.userId}/me.png`)).toMatch(/^42501 /);
  expect(await set('phone', 'call me')).toMatch(/^23514 /);
  expect(await set('preferred_name', '  ')).toMatch(/^23514 /);
  expect(await set('languages', '{English}')).toMatch(/^23514 /);
  for (const zone of ['Mars/Olympus', 'america/denver', '+05:30', 'Factory', '']) {
    expect(await set('time_zone', zone), zone).toBe(
      '22023 We don’t know this time zone. Choose one from the list.',
    );
  }
  expect(await set('locale', 'english')).toMatch(/^23514 /);
});

test('Nobody sets the time zone of somebody else', async () => {
  expect(
    await whoMay(
      world,
      (tx) =>
        tx`update public.profiles set time_zone = 'Asia/Tokyo' where user_id = ${owner.userId}`,
    ),
  ).toEqual(everyone(0, { visitor: denied, owner: 1 }));
  expect(await sql`select from public.profiles where time_zone = 'Asia/Tokyo'`).toHaveLength(0);
});

test('People see themselves and those they work with', async () => {
  const { visitor: _, ...seen } = await whoReads(
    world,
    'profiles',
    'full_name',
    (row) => row.full_name,
  );
  expect(seen).toEqual({
    owner: ['Carla Coach', 'Cole League', 'Olive Owner'],
    colleague: ['Cole League', 'Olive Owner'],
    otherOwner: ['Otto Other'],
    ownerWithoutCode: [],
    ownerWithCode: ['Carla Coach', 'Wanda Without'],
    coach: ['Carla Coach', 'Olive Owner', 'Wanda Without'],
    otherCoach: ['Otis Coach'],
    sponsor: ['Sonia Sponsor'],
    admin: ['Ada Min'],
  });
  expect(_).toBe(denied);
});

test('A person sets their names, number, languages, time zone and locale', async () => {
  const [row] = await as(owner)`
    update public.profiles
    set full_name = 'Olive O.', time_zone = 'America/Denver', locale = 'en-US',
      preferred_name = 'Liv', phone = '+1 (505) 555-0142 x 3', languages = '{en,es-MX}'
    returning full_name, time_zone, updated_at > created_at as touched`;
  expect(row).toEqual({ full_name: 'Olive O.', time_zone: 'America/Denver', touched: true });
});

test('A name is one line that reads forwards, whoever writes it how', async () => {
  const callThemselves = (name: string) =>
    as(otherOwner)`update public.profiles set full_name = ${name} returning full_name`;
  expect(await callThemselves(' Otto\r\nBcc: all@example.com\u202e ')).toEqual([
    { full_name: 'Otto Bcc: all@example.com' },
  ]);
  expect(await callThemselves('\n\t')).toEqual([{ full_name: '' }]);
  expect(await refusalOf(callThemselves('x'.repeat(121)))).toMatch(/^23514/);
  await callThemselves('Otto Other');
});

test('Sign-up data of any shape becomes a profile that fits', async () => {
  const signUp = async (data: unknown) => {
    const id = crypto.randomUUID();
    await sql`
      insert into auth.users (id, email, raw_user_meta_data)
      values (${id}, ${`${id}@example.test`}, ${sql.json(data as never)})`;
    const [row] = await sql`
      select p.full_name, b.name, m.role, private.role_of(p.user_id) as staff
      from public.profiles p
      left join public.business_members m using (user_id)
      left join public.businesses b on b.id = m.business_id
      where p.user_id = ${id}`;
    return row;
  };
  expect(
    await signUp({ full_name: ' Ann\n\tLee ', business_name: 'Elm & Co', role: 'admin' }),
  ).toEqual({ full_name: 'Ann Lee', name: 'Elm & Co', role: 'owner', staff: 'owner' });
  expect(await signUp({ full_name: 'x'.repeat(500), business_name: '   ' })).toEqual({
    full_name: 'x'.repeat(120),
    name: null,
    role: null,
    staff: 'owner',
  });
  expect(await signUp({ full_name: { a: [1] } })).toMatchObject({ name: null });
  expect(await signUp({})).toMatchObject({ full_name: '' });
});

test('A new account has the time zone of its browser where that is one, and none otherwise', async () => {
  const zoneAfter = async (time_zone: unknown) => {
    const id = crypto.randomUUID();
    await sql`
      insert into auth.users (id, email, raw_user_meta_data)
      values (${id}, ${`${id}@example.test`}, ${sql.json({ time_zone } as never)})`;
    const [row] = await sql`select time_zone from public.profiles where user_id = ${id}`;
    return row?.time_zone;
  };
  // Browsers may also report a zone's older name.
  for (const zone of ['America/Denver', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+12', 'UTC']) {
    expect(await zoneAfter(zone)).toBe(zone);
  }
  const others = ['Mars/Olympus', '', 'Etc/Unknown', '+05:30', 'posixrules', 'x'.repeat(9_000)];
  for (const other of [...others, null, 7, ['UTC'], { zone: 'UTC' }]) {
    expect(await zoneAfter(other), String(other)).toBeNull();
  }
});
