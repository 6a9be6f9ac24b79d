import * as fc from 'fast-check';
import type { TransactionSql } from 'postgres';
import { expect, test } from 'vitest';
import { actAs, answerAttempt } from '#backend/local/demo/builders.ts';
import type { ComparedArea, Comparison } from '#data/skills.ts';
import { asPerson, type Person, within } from '../../fixtures/database.ts';
import { createAttempt, openWorld, undone } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, quiz, ask, as } = world;
const { visitor, owner, colleague, ownerWithCode, coach, otherCoach, admin } = people;
// Submit the owner's open attempt with an answer of 3 everywhere; the previous one had 2.
await asPerson(sql, owner, async (tx) => {
  await answerAttempt(
    within(tx),
    { id: ids.alderOpen, versionId: quiz.id },
    quiz.questions.map(({ key }) => ({ question_key: key, value: 3, applies: true })),
  );
  await tx`select public.finish_attempt(${ids.alderOpen})`;
});
const before = ids.alderResult;

async function compare(who: Person, later: string, earlier: string | null = null) {
  return ask(who, 'compare_attempts($1, $2)', [later, earlier]);
}

test('Strangers, coaches without a share and admins find nothing', async () => {
  for (const who of ['otherOwner', 'colleague', 'otherCoach', 'admin'] as const) {
    expect(await compare(people[who], ids.alderOpen, before), who).toBeNull();
    expect(await compare(people[who], ids.alderOpen), who).toBeNull();
  }
  await expect(compare(visitor, ids.alderOpen)).rejects.toMatchObject({ code: '42501' });
});

test('The owner does, and the assigned coach while results are shared', async () => {
  expect((await compare(owner, ids.alderOpen))?.earlier.id).toBe(before);
  expect((await compare(coach, ids.alderOpen))?.earlier.id).toBe(before);
  const share = (shared: boolean) =>
    as(owner)`select public.set_results_shared(${ids.alderEngagement}, ${shared})`;
  await share(false);
  expect(await compare(coach, ids.alderOpen)).toBeNull();
  await share(true);
});

test('Attempts of two people, of two businesses, or that are no full result are not compared', async () => {
  const business = crypto.randomUUID();
  await ask(owner, 'create_business($1, $2)', [business, 'Second']);
  const elsewhere = await createAttempt(sql, owner, { quiz, business });
  expect(await compare(owner, elsewhere, before)).toBeNull();
  expect(await compare(owner, ids.alderOpen, ids.birchResult)).toBeNull();
  expect(await compare(owner, before)).toBeNull();
  expect(await compare(owner, before, before)).toBeNull();
  expect(await compare(owner, crypto.randomUUID(), before)).toBeNull();
  expect(await compare(ownerWithCode, ids.cedarOpen, ids.cedarResult)).toBeNull();
});

test('Attempts named in either order are compared from the earlier one to the later one', async () => {
  const found = await compare(owner, before, ids.alderOpen);
  expect(found).toMatchObject({ earlier: { id: before }, later: { id: ids.alderOpen } });
});

test('The skills page compares the newest two unless others are named, and only one’s own', async () => {
  const skills = async (who: Person, business: string, earlier?: string, later?: string) =>
    await ask(who, 'get_skills($1, $2, $3)', [business, earlier ?? null, later ?? null]);
  const mine = await skills(owner, ids.alder);
  expect(mine.comparison.later.id).toBe(ids.alderOpen);
  expect(mine.trend.map((each: { id: string }) => each.id)).toEqual([before, ids.alderOpen]);
  expect((await skills(owner, ids.alder, before)).comparison.earlier.id).toBe(before);
  expect((await skills(owner, ids.birch, before, ids.alderOpen)).comparison).toBeNull();
  // A coach sees shared results on the client's result page, not on their own skills page.
  expect((await skills(coach, ids.alder, before, ids.alderOpen)).comparison).toBeNull();
});

test('A result comes with what stands around it, as far as the reader may see it', async () => {
  const result = async (who: Person) => await ask(who, 'get_result($1)', [ids.alderOpen]);
  for (const who of [owner, coach]) {
    const found = await result(who);
    expect(found.comparison.earlier.id).toBe(before);
    expect(found.others.map((each: { id: string }) => each.id)).toContain(before);
    expect(found.attempt.id).toBe(ids.alderOpen);
  }
  for (const who of [colleague, otherCoach, admin]) {
    expect(await result(who)).toBeNull();
  }
});

interface Question {
  weight: number;
  /** Undefined for a blank, null for "doesn't apply to us". */
  earlier: number | null | undefined;
  later: number | null | undefined;
  /** Whether the question means the same in the later version. */
  same: boolean;
}

const answer = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 4 }) },
);
const question: fc.Arbitrary<Question> = fc.record({
  weight: fc.constantFrom(1, 1, 1, 2, 3),
  earlier: answer,
  later: answer,
  same: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.boolean()),
});
const cases = fc
  .array(fc.array(question, { minLength: 2, maxLength: 4 }), { minLength: 2, maxLength: 4 })
  .filter((areas) =>
    (['earlier', 'later'] as const).every((time) =>
      areas.some((questions) => questions.some((each) => each[time] !== undefined)),
    ),
  );

const areaKeys = ['web-design', 'custom-research', 'growth-strategy', 'sales-marketing'];

/** The database's comparison for a case, from the procedures that people use; rolled back after. */
async function byTheDatabase(areas: Question[][]): Promise<Comparison> {
  let found: Comparison | undefined;
  const person = { id: owner.userId, email: owner.email };
  await undone(sql, async (tx) => {
    const [earlier, later] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [index, attempt_id] of [earlier, later].entries()) {
      const version_id = await publish(tx, areas, index);
      const answers = areas.flatMap((questions, area) =>
        questions.flatMap((each, at) => {
          const value = index === 0 ? each.earlier : each.later;
          const question_key = `${areaKeys[area]}.${at}`;
          if (value === undefined) return [];
          return [{ attempt_id, version_id, question_key, value, applies: value !== null }];
        }),
      );
      await actAs(within(tx), person, async () => {
        await tx`select public.start_attempt(${attempt_id}, ${version_id}, null)`;
        await tx`insert into public.answers ${tx(answers)}`;
        await tx`select public.finish_attempt(${attempt_id})`;
      });
      await tx`set constraints all immediate`;
      await tx`alter table public.attempts disable trigger user`;
      await tx`
        update public.attempts set submitted_at = now() - ${2 - index}::int * interval '1 day'
        where id = ${attempt_id}`;
      await tx`alter table public.attempts enable trigger user`;
    }
    const compared = () => tx`select public.compare_attempts(${later}, ${earlier}) as found`;
    found = (await actAs(within(tx), person, compared))[0]?.found;
  });
  if (!found) throw new Error('The two were not compared.');
  return found;
}

/** Publishes a version for a case; in the second, questions that aren't `same` change meaning. */
async function publish(tx: TransactionSql, areas: Question[][], index: number): Promise<string> {
  const version_id = crypto.randomUUID();
  await tx`
    insert into public.quiz_versions (id, number, title)
    values (${version_id}, ${90 + index}, 'Case')`;
  const named = areas.map((questions, area) => ({ questions, area_key: areaKeys[area] ?? '' }));
  const weighed = named.map(({ area_key }) => ({ version_id, area_key, importance: 1 }));
  await tx`insert into public.quiz_version_areas ${tx(weighed)}`;
  const asked = named.flatMap(({ questions, area_key }, area) =>
    questions.map(({ weight, same }, at) => ({
      version_id,
      key: `${area_key}.${at}`,
      area_key,
      practice: '',
      position: area * 10 + at + 1,
      text: '',
      anchors: ['0', '1', '2', '3', '4'],
      weight,
      action: '',
      meaning: same ? 1 : 1 + index,
      first_look: at === 0,
    })),
  );
  await tx`insert into public.quiz_questions ${tx(asked)}`;
  await tx`update public.quiz_versions set state = 'published' where id = ${version_id}`;
  return version_id;
}

const isValue = (value: number | null | undefined): value is number => typeof value === 'number';

/** An independent implementation of the comparison rules, following the product's description. */
function byHand(questions: Question[]): Pick<ComparedArea, 'compared' | 'steps' | 'verdict'> {
  const scored = (['earlier', 'later'] as const).every((time) => {
    const applicable = questions.filter((each) => each[time] !== null);
    const answered = applicable.filter((each) => isValue(each[time]));
    return applicable.length >= 2 && answered.length * 4 >= applicable.length * 3;
  });
  const both = questions.filter(
    ({ same, earlier, later }) => same && isValue(earlier) && isValue(later),
  );
  const compared = both.length;
  if (!scored || compared < 2) return { compared, steps: null, verdict: 'not-compared' };
  const change = (weigh: (each: Question) => number) =>
    both.reduce(
      (sum, each) => sum + weigh(each) * ((each.later as number) - (each.earlier as number)),
      0,
    );
  const steps = change(() => 1);
  const points = change(({ weight }) => weight);
  if (steps >= 2 && points > 0) return { compared, steps, verdict: 'improved' };
  if (steps <= -2 && points < 0) return { compared, steps, verdict: 'lower' };
  return { compared, steps, verdict: 'steady' };
}

test('Two answer steps in an area, on questions that ask the same and were answered both times', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (areas) => {
      const found = await byTheDatabase(areas);
      for (const [index, questions] of areas.entries()) {
        const area = found.areas.find(({ area_key }) => area_key === areaKeys[index]);
        expect(area).toMatchObject(byHand(questions));
        // Exactly the answers that changed are listed.
        const changed = questions.flatMap(({ same, earlier, later }, at) =>
          same && earlier !== later ? [`${areaKeys[index]}.${at}`] : [],
        );
        expect(area?.changed.map(({ question_key }) => question_key)).toEqual(changed);
        if (area?.earlier != null && area.later != null) {
          expect(Math.sign(area.later - area.earlier)).not.toBe(
            area.verdict === 'improved' ? -1 : area.verdict === 'lower' ? 1 : Number.NaN,
          );
        }
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

test('With four questions of one weight it is 12.5 points', async () => {
  const same = { weight: 1, same: true };
  const rest = [2, 2].map((value) => ({ ...same, earlier: value, later: value }));
  const found = await byTheDatabase([
    [{ ...same, earlier: 1, later: 2 }, { ...same, earlier: 1, later: 2 }, ...rest],
    [{ ...same, earlier: 1, later: 2 }, { ...same, earlier: 1, later: 1 }, ...rest],
  ]);
  expect(found.areas.map(({ verdict }) => verdict)).toEqual(['improved', 'steady']);
  const [first] = found.areas;
  expect((first?.later ?? 0) - (first?.earlier ?? 0)).toBe(12.5);
});
