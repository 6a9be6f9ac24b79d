import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { expectReaders, openWorld, type PersonaName, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, as } = world;
const { owner } = people;

const save = (name: PersonaName, reminders: boolean, news: boolean) =>
  as(people[name])`select public.save_notification_settings(${reminders}, ${news})`;

const wants = async (what: string) => {
  const [row] = await sql`
    select private.wants(${owner.userId}, ${what}) as answer`;
  return row?.answer;
};

test('Without an account or a code nothing is set', async () => {
  expect(await refusalOf(save('visitor', true, true))).toMatch(/^42501/);
  expect(await refusalOf(save('ownerWithoutCode', true, true))).toMatch(/authenticator app/);
});

test('Everyone wants all mails until they say otherwise, and only they read what they said', async () => {
  expect(await wants('reminders')).toBe(true);
  await save('owner', false, true);
  expect([await wants('reminders'), await wants('news')]).toEqual([false, true]);
  await expectReaders(world, 'notification_settings', "'one'", { owner: ['one'] });
  await save('owner', true, false);
  expect([await wants('reminders'), await wants('news')]).toEqual([true, false]);
});

test('A choice changes what it is about and nothing that was chosen elsewhere', async () => {
  await save('owner', false, false);
  await as(owner)`select public.save_notification_settings(p_news => true)`;
  expect([await wants('reminders'), await wants('news')]).toEqual([false, true]);
});

test('Mails of messages are chosen apart, and stay chosen where they are not asked about', async () => {
  const ask = (text: string) =>
    asPerson(sql, owner, (tx) => tx.unsafe(`select public.${text} as it`));
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
    coaching: true,
  });
});
