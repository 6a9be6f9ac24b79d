import { beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { everyone, prepareWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();
let path: string;
const file = '0198f0a0-1111-7222-8333-444455556666.webp';
beforeAll(async () => {
  path = `${world.people.owner.userId}/${file}`;
});

const refused = '42501 new row violates row-level security policy for table "objects"';

describe('Who may store, see and show pictures of people', () => {
  test('People store in their own folder only, under a name that is an id', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`insert into storage.objects (bucket_id, name) values ('avatars', ${path})`,
      ),
    ).toEqual(everyone(refused, { owner: 1 }));
    for (const name of ['me.webp', `${file}.html`, `../${file}`]) {
      const outside = `${world.people.owner.userId}/${name}`;
      expect(
        await whoMay(
          world,
          (sql) =>
            sql`insert into storage.objects (bucket_id, name) values ('avatars', ${outside})`,
        ),
        name,
      ).toEqual(everyone(refused));
    }
  });

  test('A picture that did not arrive, or is somebody else’s, is not shown', async () => {
    const show = (name: 'owner' | 'coach' | 'visitor' | 'ownerWithoutCode', shown: string | null) =>
      asPerson(world.sql, world.people[name], (tx) => tx`select public.set_avatar(${shown})`);
    expect(await refusalOf(show('owner', path))).toMatch(/^P0002/);
    await world.sql`insert into storage.objects (bucket_id, name) values ('avatars', ${path})`;
    expect(await refusalOf(show('coach', path))).toMatch(/^P0002/);
    expect(await refusalOf(show('visitor', path))).toMatch(/^42501/);
    expect(await refusalOf(show('ownerWithoutCode', null))).toMatch(/second factor/);
    await show('owner', path);

    const newer = `${world.people.owner.userId}/0198f0a0-1111-7222-8333-444455557777.webp`;
    await world.sql`insert into storage.objects (bucket_id, name) values ('avatars', ${newer})`;
    // The older one is named, for its owner to take away.
    expect(await show('owner', newer)).toEqual([{ set_avatar: path }]);
    // Past the procedure nobody says what is shown.
    expect(
      await refusalOf(
        asPerson(
          world.sql,
          world.people.owner,
          (tx) => tx`update public.profiles set avatar_path = ${path}`,
        ),
      ),
    ).toMatch(/^42501 permission denied/);
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
    const { coach } = world.people;
    const store = (count: number) =>
      asPerson(
        world.sql,
        coach,
        (tx) => tx`
          insert into storage.objects (bucket_id, name)
          select 'avatars', ${coach.userId} || '/' || gen_random_uuid() || '.webp'
          from generate_series(1, ${count}::int)`,
      );
    await store(10);
    expect(await refusalOf(store(1))).toBe(refused);
  });
});
