import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  idOfPerson,
  nameOf,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table business_members';

describe('Who may see and change who belongs to a business', () => {
  test('Nobody joins, leaves or rises by writing the table', () =>
    nobodyWrites(world, 'business_members'));

  test('Members see the members of their own business', async () => {
    expect(
      await whoReads(
        world,
        'business_members',
        '*',
        (row) => `${nameOf(world, row.business_id)} ${row.role}`,
      ),
    ).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['alder member', 'alder owner'],
        colleague: ['alder member', 'alder owner'],
        otherOwner: ['birch owner'],
        ownerWithCode: ['cedar owner'],
      }),
    );
  });
});

describe('Leaving a business, and whose it is', () => {
  const notFound = 'P0002 This business was not found.';
  const code = '42501 Enter the code of your second factor first.';
  const onlyOwner = '42501 Only the owner of the business may do this.';

  test('Only the owner removes a member or hands the business over', async () => {
    const colleague = idOfPerson('colleague');
    for (const act of ['remove_member', 'hand_over_business']) {
      expect(
        await whoMay(world, (sql) =>
          sql.unsafe(`select ${act}('${world.ids.alder}', '${colleague}')`),
        ),
      ).toEqual(
        everyone(notFound, {
          visitor: `42501 permission denied for function ${act}`,
          ownerWithoutCode: code,
          colleague: onlyOwner,
          owner: 1,
        }),
      );
    }
  });

  test('A member leaves; the owner hands over first, to somebody who belongs to it', async () => {
    const hold = '55000 Hand the business over before you leave it.';
    expect(await whoMay(world, (sql) => sql`select leave_business(${world.ids.alder})`)).toEqual(
      everyone(notFound, {
        visitor: '42501 permission denied for function leave_business',
        ownerWithoutCode: code,
        owner: hold,
        colleague: 1,
      }),
    );
    const { sql, people, ids } = world;
    const asOwner = (text: string) => asPerson(sql, people.owner, (tx) => tx.unsafe(text));
    expect(
      await refusalOf(asOwner(`select remove_member('${ids.alder}', '${people.owner.userId}')`)),
    ).toBe(hold);
    expect(
      await refusalOf(
        asOwner(`select hand_over_business('${ids.alder}', '${people.otherOwner.userId}')`),
      ),
    ).toBe('22023 Hand it over to somebody who belongs to the business.');
  });

  test('After handing over, the other one decides, and both hear of it', async () => {
    const { sql, people, ids } = world;
    const hand = (from: typeof people.owner, to: typeof people.owner) =>
      asPerson(sql, from, (tx) => tx`select hand_over_business(${ids.alder}, ${to.userId})`);
    await hand(people.owner, people.colleague);
    expect(await refusalOf(hand(people.owner, people.colleague))).toBe(onlyOwner);
    const mails = await sql`select to_address, data->>'subject' as subject from private.mails`;
    expect(mails).toContainEqual({
      to_address: 'colleague@example.test',
      subject: 'You are now the owner of Alder Bakery',
    });
    await hand(people.colleague, people.owner);
  });

  test('Who was removed sees nothing of the business, and their coach neither', async () => {
    const { sql, people, ids } = world;
    const engagement = crypto.randomUUID();
    await asPerson(
      sql,
      people.colleague,
      (tx) => tx`select request_coaching(${engagement}, ${ids.alder})`,
    );
    await asPerson(
      sql,
      people.owner,
      (tx) => tx`select remove_member(${ids.alder}, ${people.colleague.userId})`,
    );
    expect(
      await asPerson(sql, people.colleague, (tx) => tx`select id from public.businesses`),
    ).toEqual([]);
    expect(await sql`select state from public.engagements where id = ${engagement}`).toEqual([
      { state: 'withdrawn' },
    ]);
    await sql`
      insert into public.business_members (business_id, user_id, role)
      values (${ids.alder}, ${people.colleague.userId}, 'member')`;
  });

  test('When the owner deletes the account, the member who joined first becomes the owner', async () => {
    const { sql, ids } = world;
    await sql`delete from auth.users where id = ${idOfPerson('owner')}`;
    expect(
      await sql`select user_id, role from public.business_members where business_id = ${ids.alder}`,
    ).toEqual([{ user_id: idOfPerson('colleague'), role: 'owner' }]);
  });
});
