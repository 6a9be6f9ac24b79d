import { beforeEach, expect, test } from 'vitest';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { openWorldForEach, refusalOf } from '../../fixtures/personas.ts';
import { invite, openSurvey, submit } from '../../fixtures/survey-answers.ts';

const world = await openWorldForEach();
const { people, ids } = world;
const { visitor, owner, admin } = people;

let first = '';
beforeEach(async () => {
  first = await invite(world.sql, admin, ids.alderEngagement);
});

/** Lets days pass since the invitation was sent. */
const daysPass = (days: number) => world.sql`
  update public.survey_invitations set
    sent_at = sent_at - make_interval(days => ${days}),
    expires_at = expires_at - make_interval(days => ${days})`;

const remind = async (): Promise<number> => {
  const [row] = await world.sql`select private.remind_of_surveys() as count`;
  return row?.count;
};
const reminders = () => world.sql`
  select to_address, data, expires_at from private.mails where template = 'survey-reminder'`;

test.each([
  ['who was invited six days ago', () => daysPass(6)],
  ['whose link has run out', () => daysPass(91)],
  [
    'who has answered',
    async () => {
      await daysPass(8);
      const survey = await openSurvey(world.sql, visitor, first);
      await submit(world.sql, visitor, survey?.id ?? '', undefined, { invitation: first });
    },
  ],
  [
    'once the survey is closed',
    async () => {
      await daysPass(8);
      await world.sql`update public.surveys set state = 'closed', closed_at = now()`;
    },
  ],
  [
    'who wants no emails about coaching',
    async () => {
      await daysPass(8);
      await world.sql`
        insert into public.notification_settings (user_id, coaching)
        values (${owner.userId}, false)
        on conflict (user_id) do update set coaching = false`;
    },
  ],
  [
    'who has deleted their account',
    async () => {
      await daysPass(8);
      await world.sql`
        update public.engagements set owner_id = null where id = ${ids.alderEngagement}`;
    },
  ],
])('Nobody is reminded %s', async (_, happens) => {
  await happens();
  expect(await remind()).toBe(0);
  expect(await reminders()).toHaveLength(0);
});

test('A client who hasn’t answered in a week is reminded once, however often the job runs', async () => {
  await daysPass(7);
  expect(await remind()).toBe(1);
  expect(await remind()).toBe(0);
  await daysPass(30);
  expect(await remind()).toBe(0);
  const sent = await reminders();
  expect(sent).toMatchObject([{ to_address: owner.email }]);
  const brand = {
    product: 'P',
    organisation: 'O',
    email: 'o@example.test',
    siteUrl: 'https://p.test',
  };
  expect(renderMail('survey-reminder', sent[0]?.data, brand).text).toMatch(
    /anonymous[\s\S]*first email works too[\s\S]*p\.test\/engagement-survey\/[0-9a-f]{64}[\s\S]*p\.test\/engagement-survey#invitation=[0-9a-f]{64}/,
  );
});

test('Both links work until one is used, and a client who’s invited again isn’t reminded again', async () => {
  await daysPass(7);
  await remind();
  const [mail] = await reminders();
  const second = String(mail?.data.path).replace('/engagement-survey#invitation=', '');
  expect(second).not.toBe(first);
  for (const link of [first, second]) {
    expect(await openSurvey(world.sql, visitor, link)).toMatchObject({ access: 'invitation' });
  }

  const third = await invite(world.sql, admin, ids.alderEngagement);
  for (const link of [first, second]) {
    expect(await openSurvey(world.sql, visitor, link)).toMatchObject({ access: 'public' });
  }
  await daysPass(7);
  expect(await remind()).toBe(0);
  const survey = await openSurvey(world.sql, visitor, third);
  await submit(world.sql, visitor, survey?.id ?? '', undefined, { invitation: third });
});

test('The reminder’s link works once, like the first one', async () => {
  await daysPass(7);
  await remind();
  const [mail] = await reminders();
  const second = String(mail?.data.path).replace('/engagement-survey#invitation=', '');
  const survey = await openSurvey(world.sql, visitor, second);
  await submit(world.sql, visitor, survey?.id ?? '', undefined, { invitation: second });
  for (const invitation of [first, second]) {
    expect(
      await refusalOf(submit(world.sql, visitor, survey?.id ?? '', undefined, { invitation })),
    ).toBe('55000 This link has already been used. We have your answers.');
  }
});
