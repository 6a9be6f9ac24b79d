import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  type PersonaName,
  prepareWorld,
  refusalOf,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table notification_settings';

const save = (name: PersonaName, reminders: boolean, news: boolean) =>
  asPerson(
    world.sql,
    world.people[name],
    (tx) => tx`select public.save_notification_settings(${reminders}, ${news})`,
  );

const wants = async (what: string) => {
  const [row] = await world.sql`
    select private.wants(${world.people.owner.userId}, ${what}) as answer`;
  return row?.answer;
};

describe('Who may see and change which mails somebody wants', () => {
  test('Nobody writes the table', () => nobodyWrites(world, 'notification_settings'));

  test('Without an account or a code nothing is set', async () => {
    expect(await refusalOf(save('visitor', true, true))).toMatch(/^42501/);
    expect(await refusalOf(save('ownerWithoutCode', true, true))).toMatch(/second factor/);
  });

  test('Everyone wants all mails until they say otherwise, and only they read what they said', async () => {
    expect(await wants('reminders')).toBe(true);
    await save('owner', false, true);
    expect([await wants('reminders'), await wants('news')]).toEqual([false, true]);
    expect(await whoReads(world, 'notification_settings', '*', () => 'one')).toEqual(
      everyone([], { visitor: denied, owner: ['one'] }),
    );
    await save('owner', true, false);
    expect([await wants('reminders'), await wants('news')]).toEqual([true, false]);
  });

  test('A choice changes what it is about and nothing that was chosen elsewhere', async () => {
    await save('owner', false, false);
    await asPerson(
      world.sql,
      world.people.owner,
      (tx) => tx`select public.save_notification_settings(p_news => true)`,
    );
    expect([await wants('reminders'), await wants('news')]).toEqual([false, true]);
  });

  test('Mails of messages are chosen apart, and stay chosen where they are not asked about', async () => {
    const { sql, people } = world;
    const ask = (text: string) =>
      asPerson(sql, people.owner, (tx) => tx.unsafe(`select public.${text} as it`));
    await ask('save_notification_settings(true, true, false, false)');
    expect([await wants('messages'), await wants('message_text')]).toEqual([false, false]);
    await ask('save_notification_settings(false, true)');
    expect([await wants('messages'), await wants('message_text')]).toEqual([false, false]);
    await ask('save_notification_settings(false, true, true)');
    const [profile] = await ask('get_profile()');
    expect(profile?.it.notifications).toEqual({
      reminders: false,
      news: true,
      messages: true,
      message_text: false,
    });
  });
});
