/** Which tool an owner is offered: the one for the weakest practice, on every screen. */
import { expect, test } from 'vitest';
import { answerAttempt } from '#backend/local/demo/builders.ts';
import { LEVELS } from '#domain/level.ts';
import { PRACTICES } from '#domain/practice.ts';
import { asPerson, type Person, within } from '../../fixtures/database.ts';
import { createNewcomer, openWorld, refusalOf } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, quiz, ask } = world;

const AREA = 'financial-projection';
/** The area's practices, weakest first, with the answers to their questions; null doesn't apply. */
const ANSWERS = new Map([
  ['cash-forecast', 0],
  ['tax-set-aside', 1],
  ['monthly-profit-and-loss', null],
  ['every-transaction', 4],
]);

/** A new owner with these answers in one area, and twos in the others. */
async function weakInMoney(): Promise<{ who: Person; id: string }> {
  const who = await createNewcomer(world);
  const id = crypto.randomUUID();
  await ask(who, 'start_attempt($1, $2, null)', [id, quiz.id]);
  await asPerson(sql, who, (tx) =>
    answerAttempt(
      within(tx),
      { id, versionId: quiz.id },
      quiz.questions.map(({ key, area_key }) => {
        const own = ANSWERS.get(key.slice(AREA.length + 1));
        const value = area_key === AREA ? (own ?? null) : 2;
        return { question_key: key, value, applies: value !== null };
      }),
    ),
  );
  await ask(who, 'finish_attempt($1)', [id]);
  return { who, id };
}

/** The slugs of the tool for this area: in the results, on the skills page and in the toolbox. */
async function offered({ who, id }: { who: Person; id: string }) {
  const results = await ask(who, 'get_attempt($1)', [id]);
  const skills = await ask(who, 'get_skills(null)');
  const toolbox = await ask(who, 'list_toolbox()');
  const own = (each: { area_key: string }) => each.area_key === AREA;
  return [
    results.recommendations.find(own)?.toolbox_item?.slug,
    skills.latest.areas.find(({ key }: { key: string }) => key === AREA).tool?.slug,
    toolbox.recommended.find(own)?.slug,
  ];
}

const three = (slug: string) => [slug, slug, slug];

const put = (slug: string, practice: string | null, levels: string[], state = 'published') => sql`
  insert into public.toolbox_items (
    id, slug, title, summary, type, area_key, practice, levels, minutes, format, reviewed_on, state
  ) values (gen_random_uuid(), ${slug}, ${slug}, '', 'guide', ${AREA}, ${practice}, ${levels}, 1, '',
    current_date, ${state})`;
const drop = (slug: string) => sql`delete from public.toolbox_items where slug = ${slug}`;

test('A tool is kept in its practice’s area', async () => {
  expect(await refusalOf(put('stray', 'web-design.clear-next-step', ['starting']))).toMatch(
    /^23514/,
  );
  expect(await refusalOf(put('stray', 'anything', ['starting']))).toMatch(/^23514/);
});

interface Offer {
  practice: string;
  level: string;
  slug: string;
  does: string | null;
  /** Whether the tool says that it's for this level. */
  fits: boolean;
}

test('Every practice has a tool at each level: one that does it and is for that level', async () => {
  const rows = await sql<Offer[]>`
    select p.practice, l.level, i.slug, i.practice as does, l.level = any (i.levels) as fits
    from unnest(${[...PRACTICES]}::text[]) with ordinality p (practice, place)
    cross join unnest(${[...LEVELS]}::text[]) with ordinality l (level, height)
    left join public.toolbox_items i
      on i.slug = private.tool_for(split_part(p.practice, '.', 1), p.practice, l.level)
    order by p.place, l.height`;
  expect(rows).toHaveLength(PRACTICES.length * LEVELS.length);
  const wrong = rows
    .filter(({ practice, does, fits }) => does !== practice || !fits)
    .map(({ practice, level, slug, does }) => {
      const why = does === practice ? 'isn’t for that level' : `does ${does}`;
      return `An owner at ${level} whose weakest practice is ${practice} is offered ${slug}, which ${why}.`;
    });
  expect(wrong).toEqual([]);
});

test('The results, the skills page and the toolbox offer the tool for the weakest practice', async () => {
  const owner = await weakInMoney();
  expect(await offered(owner)).toEqual(three('cash-forecast'));
  const skills = await ask(owner.who, 'get_skills(null)');
  // An area that isn't one of the three has a tool, too, in case the owner works on it.
  const others = skills.latest.areas.filter(
    ({ recommended }: { recommended: number | null }) => recommended === null,
  );
  expect(others).toHaveLength(5);
  for (const { tool } of others) expect(tool).toMatchObject({ slug: expect.any(String) });
});

test('With several tools for a practice, the one for the owner’s level is offered', async () => {
  const owner = await weakInMoney();
  await put('first-forecast', `${AREA}.cash-forecast`, ['strong']);
  expect(await offered(owner)).toEqual(three('cash-forecast'));
  await drop('first-forecast');
  await put('first-forecast', `${AREA}.cash-forecast`, ['developing']);
  expect(await offered(owner)).toEqual(three('first-forecast'));
  await drop('first-forecast');
});

test('Results that are kept offer a tool that was published later, and none that was archived', async () => {
  const owner = await weakInMoney();
  const archive = (state: string) =>
    sql`update public.toolbox_items set state = ${state} where slug = 'cash-forecast'`;
  await archive('archived');
  await put('any-of-the-area', null, ['developing']);
  expect(await offered(owner)).toEqual(three('any-of-the-area'));
  await drop('any-of-the-area');
  await archive('published');
  expect(await offered(owner)).toEqual(three('cash-forecast'));
});

test('Once a tool is done the toolbox offers the next weakest practice’s, if it applies', async () => {
  const owner = await weakInMoney();
  const done = (slug: string) => ask(owner.who, 'mark_tool($1, $2, true)', [slug, 'done']);
  const next = async () => (await offered(owner))[2];
  await put('statement', `${AREA}.monthly-profit-and-loss`, ['developing']);
  await put('ledger', `${AREA}.every-transaction`, ['developing']);
  await done('cash-forecast');
  expect(await next()).toBe('tax-set-aside');
  await done('tax-set-aside');
  const [books] = await sql`
    select private.tool_for(${AREA}, ${`${AREA}.every-transaction`}, 'developing') as slug`;
  expect(await next()).toBe(books?.slug);
  await drop('statement');
  await drop('ledger');
});
