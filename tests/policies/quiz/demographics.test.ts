import { describe, expect, test } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import { expectReaders, openWorld, type PersonaName, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, as } = world;
const { admin } = people;

interface Said {
  age?: string;
  gender?: string;
  origins?: string[];
}

const save = (name: PersonaName, { age, gender, origins = [] }: Said) =>
  as(people[name])`select public.save_demographics(
      ${age ?? null}, ${gender ?? null}, ${origins}, null, null, null)`;

const summary = async (name: PersonaName) => {
  const [row] = await as(people[name])`select public.demographics_summary() as summary`;
  return (row as { summary: { people: number | null; answers: Record<string, object> } }).summary;
};

test('Only the person reads it, not the coach and not an admin', async () => {
  await save('owner', { gender: 'woman', origins: ['hispanic', 'hispanic', 'white'] });
  await expectReaders(world, 'demographics', 'gender', { owner: ['woman'] });
  expect(await sql`select origins from public.demographics`).toEqual([
    { origins: ['hispanic', 'white'] },
  ]);
});

test('What no box says is refused, and saying nothing takes the row away', async () => {
  expect(await refusalOf(save('owner', { gender: 'robot' }))).toMatch(/^23514/);
  expect(await refusalOf(save('visitor', {}))).toMatch(/^42501/);
  expect(await refusalOf(save('ownerWithoutCode', {}))).toMatch(/authenticator app/);
  await save('owner', {});
  expect(await sql`select from public.demographics`).toEqual([]);
});

describe('The summary', () => {
  test('is for admins, and each look is in the audit log', async () => {
    for (const name of ['visitor', 'owner', 'coach'] as const) {
      expect(await refusalOf(summary(name)), name).toMatch(/^42501/);
    }
    await summary('admin');
    expect(
      await sql`select actor_id from public.audit_log where action = 'demographics.summary'`,
    ).toEqual([{ actor_id: admin.userId }]);
  });

  test('shows no group of fewer than five, nor lets one be worked out', async () => {
    const tell = async (count: number, gender: string) => {
      for (let each = 0; each < count; each += 1) {
        const { id } = await createPerson(world.database.db, {
          email: `${gender}${each}@example.test`,
          fullName: 'Some One',
        });
        await sql`insert into public.demographics (user_id, gender) values (${id}, ${gender})`;
      }
    };
    await tell(4, 'woman');
    expect(await summary('admin')).toEqual({ people: null, answers: {} });
    await tell(7, 'man');
    // Seven men stay hidden, because 11 − 7 would reveal a group of four.
    expect(await summary('admin')).toEqual({ people: 11, answers: {} });
    await tell(3, 'non-binary');
    expect(await summary('admin')).toEqual({ people: 14, answers: { gender: { man: 7 } } });
  });
});
