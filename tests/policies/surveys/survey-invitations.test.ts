import { describe, expect, test } from 'vitest';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, refusalOf, whoMay, whoReads } from '../../fixtures/personas.ts';
import { invite, openSurvey, submit } from '../../fixtures/survey-answers.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table survey_invitations';

describe('Who may invite to a survey, and what a personal link does', () => {
  test('Nobody reads or writes the table', async () => {
    expect(await whoReads(world, 'survey_invitations', 'id', ({ id }) => id)).toEqual(
      everyone(denied),
    );
    await nobodyWrites(world, 'survey_invitations');
  });

  test('Only an admin invites the client of an engagement', async () => {
    expect(
      await whoMay(world, (sql) => sql`select invite_to_survey(${world.ids.alderEngagement})`),
    ).toEqual(
      everyone('42501 Only an admin may do this.', {
        visitor: '42501 permission denied for function invite_to_survey',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        admin: 1,
      }),
    );
  });

  test('Who only waits for a coach, or nobody at all, is not asked how it was', async () => {
    for (const id of [world.ids.birchEngagement, crypto.randomUUID()]) {
      expect(await refusalOf(invite(world.sql, world.people.admin, id))).toBe(
        'P0002 There is no such engagement, or nobody to ask.',
      );
    }
  });

  test('A client whose mailbox gets no more mail today keeps the link that they have, and the admin is told', async () => {
    const { sql, people, ids } = world;
    const link = await invite(sql, people.admin, ids.alderEngagement);
    await sql`update public.rate_limits set hits = 99 where key like 'mail-by-colleagues:%'`;
    expect(await refusalOf(invite(sql, people.admin, ids.alderEngagement))).toBe(
      'PT429 This client has had many emails today. Try again tomorrow.',
    );
    await sql`delete from public.rate_limits where key like 'mail-by-colleagues:%'`;
    expect(await openSurvey(sql, people.visitor, link)).toMatchObject({ access: 'invitation' });
  });

  test('A client gets a link that works once, and the mail says what is promised', async () => {
    const { sql, people, ids } = world;
    const first = await invite(sql, people.admin, ids.alderEngagement);
    const second = await invite(sql, people.admin, ids.alderEngagement);
    expect(await openSurvey(sql, people.visitor, first)).toMatchObject({ access: 'public' });
    const survey = await openSurvey(sql, people.visitor, second);
    expect(survey).toMatchObject({ access: 'invitation' });

    const [mail] = await sql`
      select to_address, template, data from private.mails
      where template = 'survey-invitation' limit 1`;
    expect(mail?.to_address).toBe(people.owner.email);
    const brand = {
      product: 'P',
      organisation: 'O',
      email: 'o@example.test',
      siteUrl: 'https://p.test',
    };
    expect(renderMail(mail?.template, mail?.data, brand).text).toMatch(
      /anonymous[\s\S]*https:\/\/p\.test\/engagement-survey#invitation=[0-9a-f]{64}/,
    );

    await submit(sql, people.visitor, survey?.id ?? '', undefined, { invitation: second });
    expect(await openSurvey(sql, people.visitor, second)).toMatchObject({ access: 'answered' });
    expect(
      await refusalOf(
        submit(sql, people.visitor, survey?.id ?? '', undefined, { invitation: second }),
      ),
    ).toBe('55000 This link was used already: your answers are with us.');
    expect(await refusalOf(invite(sql, people.admin, ids.alderEngagement))).toBe(
      '55000 This client has answered already.',
    );
  });

  test('A link that ran out is as good as none', async () => {
    const { sql, people, ids } = world;
    const token = await invite(sql, people.admin, ids.cedarEngagement);
    await sql`update public.survey_invitations set expires_at = now() where not answered`;
    const survey = await openSurvey(sql, people.visitor, token);
    expect(survey).toMatchObject({ access: 'public' });
    await submit(sql, people.visitor, survey?.id ?? '', undefined, { invitation: token });
    const [row] = await sql`
      select count(*)::int as used from public.survey_invitations
      where engagement_id = ${ids.cedarEngagement} and answered`;
    expect(row?.used).toBe(0);
  });
});
