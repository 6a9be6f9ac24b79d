import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, refusalOf, whoMay, whoReads } from '../../fixtures/personas.ts';
import { answered, openSurvey, submit } from '../../fixtures/survey-answers.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table surveys';

describe('Who may see and change a survey', () => {
  test('Nobody reads or writes the table', async () => {
    expect(await whoReads(world, 'surveys', 'id', ({ id }) => id)).toEqual(everyone(denied));
    await nobodyWrites(world, 'surveys');
  });

  test('Everyone reads what the open survey asks and promises', async () => {
    expect(await whoMay(world, (sql) => sql`select get_survey()`)).toEqual(everyone(1));
    const survey = await openSurvey(world.sql, world.people.visitor);
    expect(survey).toMatchObject({ privacy: 'anonymous', access: 'public' });
    expect(survey?.statements).toHaveLength(10);
    expect(survey?.comments).toHaveLength(2);
  });

  test('Without a public link only a personal one opens it; without an open survey nothing is asked', async () => {
    const { sql } = world;
    await sql`update public.surveys set public_link = false`;
    const survey = await openSurvey(sql, world.people.visitor);
    expect(survey).toMatchObject({ access: 'none' });
    expect(await refusalOf(submit(sql, world.people.visitor, survey?.id ?? ''))).toBe(
      '42501 This survey is answered by personal link only.',
    );
    await sql`update public.surveys set public_link = true, state = 'closed', closed_at = now()`;
    expect(await openSurvey(sql, world.people.visitor)).toBeNull();
    expect(await refusalOf(submit(sql, world.people.visitor, survey?.id ?? ''))).toBe(
      '55000 This survey is closed.',
    );
    await sql`update public.surveys set state = 'open', closed_at = null`;
  });

  test('What a survey promised cannot change once it was answered', async () => {
    const { sql, people } = world;
    const survey = await openSurvey(sql, people.visitor);
    await submit(sql, people.visitor, survey?.id ?? '', answered({ recommend: 9 }));
    expect(await refusalOf(sql`update public.surveys set privacy = 'confidential'`)).toMatch(
      /^23503 /,
    );
  });

  test('Only one survey is open at a time', async () => {
    await expect(
      asPerson(world.sql, world.people.visitor, async (tx) => {
        await tx`reset role`;
        await tx`
          insert into public.surveys (id, title, privacy, statements, recommend, comments, public_link)
          select gen_random_uuid(), title, privacy, statements, recommend, comments, true
          from public.surveys`;
      }),
    ).rejects.toMatchObject({ code: '23505' });
  });
});
