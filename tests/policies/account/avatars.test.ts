import { expect, test } from 'vitest';
import { everyone, openWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, as } = world;
const { owner, coach } = people;
const file = '0198f0a0-1111-7222-8333-444455556666.webp';
const path = `${owner.userId}/${file}`;

const refused = '42501 new row violates row-level security policy for table "objects"';

test('People store in their own folder only, under a name that is an id', async () => {
  expect(
    await whoMay(
      world,
      (sql) => sql`insert into storage.objects (bucket_id, name) values ('avatars', ${path})`,
    ),
  ).toEqual(everyone(refused, { owner: 1 }));
  for (const name of ['me.webp', `${file}.html`, `../${file}`]) {
    const outside = `${owner.userId}/${name}`;
    expect(
      await whoMay(
        world,
        (sql) => sql`insert into storage.objects (bucket_id, name) values ('avatars', ${outside})`,
      ),
      name,
    ).toEqual(everyone(refused));
  }
});

test('A picture that did not arrive, or is somebody else’s, is not shown', async () => {
  const show = (name: 'owner' | 'coach' | 'visitor' | 'ownerWithoutCode', shown: string | null) =>
    as(people[name])`select public.set_avatar(${shown})`;
  expect(await refusalOf(show('owner', path))).toMatch(/^P0002/);
  await sql`insert into storage.objects (bucket_id, name) values ('avatars', ${path})`;
  expect(await refusalOf(show('coach', path))).toMatch(/^P0002/);
  expect(await refusalOf(show('visitor', path))).toMatch(/^42501/);
  expect(await refusalOf(show('ownerWithoutCode', null))).toMatch(/authenticator app/);
  await show('owner', path);

  const newer = `${owner.userId}/0198f0a0-1111-7222-8333-444455557777.webp`;
  await sql`insert into storage.objects (bucket_id, name) values ('avatars', ${newer})`;
  // The older file is returned, for its owner to remove.
  expect(await show('owner', newer)).toEqual([{ set_avatar: path }]);
  // Nobody can set the picture without the procedure.
  expect(await refusalOf(as(owner)`update public.profiles set avatar_path = ${path}`)).toMatch(
    /^42501 permission denied/,
  );
});

test('Those who work with a person see the picture, and only that person takes it away', async () => {
  expect(
    await whoMay(world, (sql) => sql`select from storage.objects where bucket_id = 'avatars'`),
  ).toEqual(everyone(0, { owner: 2, colleague: 2, coach: 2, admin: expect.any(Number) }));
  expect(
    await whoMay(world, (sql) => sql`delete from storage.objects where bucket_id = 'avatars'`),
  ).toEqual(everyone(0, { owner: 2 }));
});

test('Nobody keeps more than ten pictures of themselves', async () => {
  const store = (count: number) =>
    as(coach)`
      insert into storage.objects (bucket_id, name)
      select 'avatars', ${coach.userId} || '/' || gen_random_uuid() || '.webp'
      from generate_series(1, ${count}::int)`;
  await store(10);
  expect(await refusalOf(store(1))).toBe(refused);
});
