import { expect, test } from 'vitest';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { everyone, expectCallers, openWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';
import { answered, invite, openSurvey, submit } from '../../fixtures/survey-answers.ts';

const world = await openWorld();
const { sql, people, ids } = world;
const { visitor, owner, admin } = people;

test('Only an admin invites the client of an engagement', async () => {
  await expectCallers(
    world,
    `invite_to_survey('${ids.alderEngagement}')`,
    '42501 Only an admin can do this.',
    { admin: 1 },
  );
});

test('Who only waits for a coach, or nobody at all, is not asked how it was', async () => {
  for (const id of [ids.birchEngagement, crypto.randomUUID()]) {
    expect(await refusalOf(invite(sql, admin, id))).toBe(
      'P0002 We can’t find this coaching, or there’s nobody to ask.',
    );
  }
});

test('A client whose mailbox gets no more mail today keeps the link that they have, and the admin is told', async () => {
  const link = await invite(sql, admin, ids.alderEngagement);
  await sql`update public.rate_limits set hits = 99 where key like 'mail-by-colleagues:%'`;
  expect(await refusalOf(invite(sql, admin, ids.alderEngagement))).toBe(
    'PT429 We’ve sent this client a lot of emails today. Try again tomorrow.',
  );
  await sql`delete from public.rate_limits where key like 'mail-by-colleagues:%'`;
  expect(await openSurvey(sql, visitor, link)).toMatchObject({ access: 'invitation' });
});

test('A client gets a link that works once, and the mail says what is promised', async () => {
  const first = await invite(sql, admin, ids.alderEngagement);
  const second = await invite(sql, admin, ids.alderEngagement);
  expect(await openSurvey(sql, visitor, first)).toMatchObject({ access: 'public' });
  const survey = await openSurvey(sql, visitor, second);
  expect(survey).toMatchObject({ access: 'invitation' });

  const [mail] = await sql`
    select to_address, template, data from private.mails
    where template = 'survey-invitation' limit 1`;
  expect(mail?.to_address).toBe(owner.email);
  const brand = {
    product: 'P',
    organisation: 'O',
    email: 'o@example.test',
    siteUrl: 'https://p.test',
  };
  expect(renderMail(mail?.template, mail?.data, brand).text).toMatch(
    /anonymous[\s\S]*https:\/\/p\.test\/engagement-survey#invitation=[0-9a-f]{64}/,
  );

  await submit(sql, visitor, survey?.id ?? '', undefined, { invitation: second });
  expect(await openSurvey(sql, visitor, second)).toMatchObject({ access: 'answered' });
  expect(
    await refusalOf(submit(sql, visitor, survey?.id ?? '', undefined, { invitation: second })),
  ).toBe('55000 This link has already been used. We have your answers.');
  expect(await refusalOf(invite(sql, admin, ids.alderEngagement))).toBe(
    '55000 This client has already answered.',
  );
});

test('A link that ran out is as good as none', async () => {
  const token = await invite(sql, admin, ids.cedarEngagement);
  await sql`update public.survey_invitations set expires_at = now() where not answered`;
  const survey = await openSurvey(sql, visitor, token);
  expect(survey).toMatchObject({ access: 'public' });
  await submit(sql, visitor, survey?.id ?? '', undefined, { invitation: token });
  const [row] = await sql`
    select count(*)::int as used from public.survey_invitations
    where engagement_id = ${ids.cedarEngagement} and answered`;
  expect(row?.used).toBe(0);
});

test('Everyone reads what the open survey asks and promises', async () => {
  expect(await whoMay(world, (sql) => sql`select get_survey()`)).toEqual(everyone(1));
  const survey = await openSurvey(sql, visitor);
  expect(survey).toMatchObject({ privacy: 'anonymous', access: 'public' });
  expect(survey?.statements).toHaveLength(10);
  expect(survey?.comments).toHaveLength(2);
});

test('Without a public link only a personal one opens it; without an open survey nothing is asked', async () => {
  await sql`update public.surveys set public_link = false`;
  const survey = await openSurvey(sql, visitor);
  expect(survey).toMatchObject({ access: 'none' });
  expect(await refusalOf(submit(sql, visitor, survey?.id ?? ''))).toBe(
    '42501 You need a personal link to answer this survey.',
  );
  await sql`update public.surveys set public_link = true, state = 'closed', closed_at = now()`;
  expect(await openSurvey(sql, visitor)).toBeNull();
  expect(await refusalOf(submit(sql, visitor, survey?.id ?? ''))).toBe(
    '55000 This survey is closed.',
  );
  await sql`update public.surveys set state = 'open', closed_at = null`;
});

test('What a survey promised cannot change once it was answered', async () => {
  const survey = await openSurvey(sql, visitor);
  await submit(sql, visitor, survey?.id ?? '', answered({ recommend: 9 }));
  expect(await refusalOf(sql`update public.surveys set privacy = 'confidential'`)).toMatch(
    /^23503 /,
  );
});

test('Only one survey is open at a time', async () => {
  const second = sql`
    insert into public.surveys (id, title, privacy, statements, recommend, comments, public_link)
    select gen_random_uuid(), title, privacy, statements, recommend, comments, true
    from public.surveys`;
  expect(await refusalOf(second)).toMatch(/^23505 /);
});
