import { beforeEach, describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { openWorldForEach, refusalOf } from '../../fixtures/personas.ts';

interface Problem {
  area_key: string | null;
  question_key: string | null;
  field: string;
  problem: string;
}
interface Draft {
  id: string;
  number: number;
  state: string;
  settings: {
    title: string;
    revision: number;
    areas: { key: string; importance: number; first_look: string | null }[];
  };
  questions: {
    key: string;
    area_key: string;
    practice: string;
    text: string;
    help: string;
    anchors: string[];
    weight: number;
    action: string;
    meaning: 'same' | 'new' | null;
    revision: number;
    before: { number: number } | null;
    tool: string | null;
  }[];
  checks: { fingerprint: string; problems: Problem[] };
  practices: { key: string; area_key: string; name: string }[];
}

const world = await openWorldForEach();
let draft: string;
beforeEach(async () => {
  draft = crypto.randomUUID();
  await world.ask(world.people.admin, 'create_quiz_draft($1, $2)', [draft, world.quiz.id]);
});

const ask = (call: string, values: unknown[] = []) =>
  world.ask(world.people.admin, call, values as never);
const refusal = (call: string, values: unknown[] = []) =>
  world.refusal(world.people.admin, call, values as never);
const read = async (): Promise<Draft> => ask('admin_quiz_version($1)', [draft]);
const FIRST = 'web-design.findable-and-accurate';
const questionOf = async (key = FIRST) => {
  const found = (await read()).questions.find((each) => each.key === key);
  if (!found) throw new Error(`There is no ${key}.`);
  return found;
};

/** Saves a question with some fields changed, based on its current revision. */
async function save(change: object, key = FIRST) {
  const { practice, text, help, anchors, weight, action, meaning, revision } =
    await questionOf(key);
  const question = { practice, text, help, anchors, weight, action, meaning, ...change };
  return ask('save_quiz_question($1, $2, $3, $4)', [draft, key, revision, question]);
}

const problems = async () =>
  (await read()).checks.problems.map(({ question_key, area_key, field, problem }) =>
    [question_key ?? area_key, field, problem].filter(Boolean).join(': '),
  );
const publish = async (reason = 'Clearer questions') =>
  ask('publish_quiz_draft($1, $2, $3)', [draft, (await read()).checks.fingerprint, reason]);

describe('Drafting', () => {
  test('Only an admin with their second factor drafts, reads, changes or publishes', async () => {
    const calls: [string, unknown[]][] = [
      ['admin_quiz_versions()', []],
      ['admin_quiz_version($1)', [draft]],
      ['admin_quiz_statistics($1)', [world.quiz.id]],
      ['create_quiz_draft($1, $2)', [crypto.randomUUID(), world.quiz.id]],
      ['save_quiz_question($1, $2, 0, $3)', [draft, FIRST, {}]],
      ['save_quiz_settings($1, 0, $2)', [draft, {}]],
      ['add_quiz_question($1, $2, null, $3)', [draft, 'web-design', 'Speed']],
      ['remove_quiz_question($1, $2)', [draft, FIRST]],
      ['order_quiz_questions($1, $2, $3)', [draft, 'web-design', [FIRST]]],
      ['publish_quiz_draft($1, $2, $3)', [draft, 'x', 'a reason']],
      ['discard_quiz_draft($1)', [draft]],
    ];
    const { owner, coach, sponsor, visitor, ownerWithoutCode } = world.people;
    for (const [call, values] of calls) {
      for (const who of [owner, coach, sponsor]) {
        expect(await world.refusal(who, call, values as never), call).toBe(
          '42501 Only an admin can do this.',
        );
      }
      expect(await world.refusal(visitor, call, values as never), call).toMatch(/^42501 /);
      expect(await world.refusal(ownerWithoutCode, call, values as never), call).toMatch(
        /^42501 Enter the code/,
      );
    }
  });

  test('A draft is the published version under the next number, and there is one at a time', async () => {
    const now = await read();
    expect(now).toMatchObject({ number: 3, state: 'draft', before: { number: 2 } });
    expect(now.questions).toHaveLength(32);
    expect(now.questions.every(({ meaning, tool }) => meaning === 'same' && tool !== null)).toBe(
      true,
    );
    expect(await problems()).toEqual(['nothing: Nothing is different from version 2.']);
    const again = await ask('create_quiz_draft($1, $2)', [crypto.randomUUID(), world.quiz.id]);
    expect(again).toEqual({ id: draft });
    expect(await refusal('create_quiz_draft($1, $2)', [null, world.quiz.id])).toMatch(/^22023 /);
    const [first] = await ask('admin_quiz_versions()');
    expect(first).toMatchObject({ id: draft, state: 'draft', from_number: 2, questions: 32 });
  });

  test('A discarded draft changes no more, is restored as it was, and goes after 30 days', async () => {
    await save({ help: 'On every page.' });
    await ask('discard_quiz_draft($1)', [draft]);
    await ask('discard_quiz_draft($1)', [draft]);
    expect(await refusal('remove_quiz_question($1, $2)', [draft, FIRST])).toBe(
      '55000 This draft was discarded. Restore it to change it.',
    );
    const other = crypto.randomUUID();
    expect(await ask('create_quiz_draft($1, $2)', [other, world.quiz.id])).toEqual({ id: other });
    expect(await refusal('discard_quiz_draft($1, false)', [draft])).toBe(
      '55000 There’s another draft. Publish or discard it first.',
    );
    await ask('discard_quiz_draft($1)', [other]);
    await ask('discard_quiz_draft($1, false)', [draft]);
    expect((await questionOf()).help).toBe('On every page.');
    await world.sql`
      update public.quiz_versions set discarded_at = now() - interval '31 days' where id = ${other}`;
    const [row] = await world.sql`select private.delete_discarded_quiz_drafts()::int as gone`;
    expect(row?.gone).toBe(1);
    expect((await read()).questions).toHaveLength(32);
    expect(await refusal('discard_quiz_draft($1)', [world.quiz.id])).toBe(
      '55000 Version 2 has been published, so it stays.',
    );
  });
});

describe('Changing a draft', () => {
  test('A question is saved over the revision that was read, never over a newer one', async () => {
    const first = await save({ help: '  Maps,\n too. ' });
    expect(first).toMatchObject({ saved: true, question: { help: 'Maps, too.', revision: 1 } });
    const { practice, text, anchors, weight, action, meaning } = await questionOf();
    const mine = { practice, text, help: 'Mine', anchors, weight, action, meaning };
    expect(await ask('save_quiz_question($1, $2, 0, $3)', [draft, FIRST, mine])).toMatchObject({
      saved: false,
      question: { help: 'Maps, too.', revision: 1 },
    });
    // The same, sent twice, is saved.
    const same = { ...mine, help: 'Maps, too.' };
    expect(await ask('save_quiz_question($1, $2, 0, $3)', [draft, FIRST, same])).toMatchObject({
      saved: true,
    });
  });

  test.each([
    [{ anchors: ['one'] }],
    [{ anchors: 'x' }],
    [{ weight: 'heavy' }],
    [{ weight: 3 }],
    [{ meaning: 'other' }],
    [{ text: 'x'.repeat(30_000) }],
  ])('What is not a question is refused: %#', async (change) => {
    await expect(save(change)).rejects.toMatchObject({
      code: '22023',
      message: 'We couldn’t read this question.',
    });
  });

  test('Other words need an answer to whether the question still means the same', async () => {
    expect(await save({ text: 'Can people find you?' })).toMatchObject({
      question: { meaning: 'same' },
    });
    // The page asks again once the words are others.
    await save({ text: 'Do people find you?', meaning: null });
    expect((await questionOf()).meaning).toBeNull();
    expect(await problems()).toEqual([
      `${FIRST}: meaning: Say whether the question still means the same.`,
    ]);
    await save({ meaning: 'same' });
    expect(await problems()).toEqual([]);
    await save({ meaning: 'new' });
    expect((await questionOf()).meaning).toBe('new');
    const [row] = await world.sql`
      select meaning from public.quiz_questions where version_id = ${draft} and key = ${FIRST}`;
    expect(row?.meaning).toBe(3);
    await save({ meaning: 'new', help: 'More' });
    const [kept] = await world.sql`
      select meaning from public.quiz_questions where version_id = ${draft} and key = ${FIRST}`;
    expect(kept?.meaning).toBe(3);
    const [before] = await world.sql`
      select text from public.quiz_questions where version_id = ${world.quiz.id} and key = ${FIRST}`;
    await save({ text: before?.text, meaning: 'new' });
    expect((await questionOf()).meaning).toBe('same');
  });

  test('The title and the areas are saved together, with one first look an area', async () => {
    const { settings } = await read();
    const other = 'web-design.works-for-everyone';
    const areas = settings.areas.map((area) =>
      area.key === 'web-design'
        ? {
            ...area,
            ...{ importance: 3, first_look: other },
            ...{ skip_question: 'Do you have a website?', skip_help: 'A shop page counts.' },
          }
        : area,
    );
    const wanted = { title: 'Business skills', areas };
    expect(await ask('save_quiz_settings($1, 0, $2)', [draft, wanted])).toMatchObject({
      saved: true,
      settings: { ...wanted, revision: 1 },
    });
    expect(
      await ask('save_quiz_settings($1, 0, $2)', [draft, { ...wanted, title: 'Mine' }]),
    ).toMatchObject({ saved: false, settings: { title: 'Business skills' } });
    // A question of another area can't be an area's first look.
    const wrong = areas.map((area) => ({ ...area, first_look: other }));
    await ask('save_quiz_settings($1, 1, $2)', [draft, { ...wanted, areas: wrong }]);
    expect((await problems()).filter((each) => /first_look/.test(each))).toHaveLength(7);
    for (const settings of [
      { ...wanted, title: ' ' },
      { ...wanted, areas: [{ importance: 9 }] },
      {},
    ]) {
      expect(await refusal('save_quiz_settings($1, 2, $2)', [draft, settings])).toMatch(/^22023 /);
    }
  });

  test('Questions are put in order, removed, and added with their last published words', async () => {
    const keys = (await read()).questions
      .filter(({ area_key }) => area_key === 'custom-research')
      .map(({ key }) => key);
    await ask('order_quiz_questions($1, $2, $3)', [draft, 'custom-research', keys.toReversed()]);
    const ordered = await read();
    expect(ordered.questions.slice(4, 8).map(({ key }) => key)).toEqual(keys.toReversed());
    expect(
      await refusal('order_quiz_questions($1, $2, $3)', [draft, 'custom-research', keys.slice(1)]),
    ).toMatch(/^55000 The questions of this area have changed/);

    const gone: Draft = await ask('remove_quiz_question($1, $2)', [draft, FIRST]);
    expect(gone.questions).toHaveLength(31);
    expect(gone.practices.map(({ key }) => key)).toContain(FIRST);
    expect(gone.checks.problems.map(({ field }) => field)).toEqual(['questions', 'first_look']);
    await ask('remove_quiz_question($1, $2)', [draft, FIRST]);

    const back = await ask('add_quiz_question($1, $2, $3)', [draft, 'web-design', FIRST]);
    const again = (back.version as Draft).questions.find(({ key }) => key === FIRST);
    expect(again).toMatchObject({ meaning: 'same', before: { number: 2 } });
    expect(again?.text).not.toBe('');
    expect(again?.revision).toBe(2);
    const added = await ask('add_quiz_question($1, $2, null, $3)', [
      draft,
      'web-design',
      'Loads fast in 3 s',
    ]);
    expect(added.key).toBe('web-design.loads-fast-in-s');
    expect((added.version as Draft).questions[4]).toMatchObject({
      practice: 'Loads fast in 3 s',
      text: '',
      meaning: 'new',
      before: null,
      tool: null,
    });
    for (const [area, key, practice, refused] of [
      ['web-design', FIRST, null, 'There’s a question about this practice already.'],
      ['web-design', null, ' 33 ', 'Name the practice in a few words.'],
      ['web-design', 'sales-marketing.price', null, 'Name the practice in a few words.'],
      ['web-design', null, null, 'Name the practice in a few words.'],
    ]) {
      expect(await refusal('add_quiz_question($1, $2, $3, $4)', [draft, area, key, practice])).toBe(
        `22023 ${refused}`,
      );
    }
  });
});

describe('Publishing', () => {
  test('What is missing is named, in the order of the editor', async () => {
    await save({
      practice: '',
      text: '',
      anchors: ['A', 'a', '', 'D', 'E'],
      action: '',
      help: 'x'.repeat(131),
    });
    await ask('add_quiz_question($1, $2, null, $3)', [draft, 'web-design', 'Speed']);
    await world.sql`
      update public.toolbox_items set state = 'draft' where practice = 'growth-strategy.written-goals'`.catch(
      () =>
        world.sql`delete from public.toolbox_items where practice = 'growth-strategy.written-goals'`,
    );
    const found = await problems();
    expect(found).toContain(
      'web-design: questions: Web design has 5 questions. Every area has four: the site says so, and results are compared between areas.',
    );
    expect(found.filter((each) => each.startsWith(FIRST))).toEqual([
      `${FIRST}: practice: Name the practice.`,
      `${FIRST}: text: Write the question.`,
      `${FIRST}: help: Shorten the help to 130 characters.`,
      `${FIRST}: anchor-1: The answer for 1 is the same as an earlier one.`,
      `${FIRST}: anchor-2: Write the answer for 2.`,
      `${FIRST}: action: Write what to do in the next 30 days.`,
    ]);
    expect(found).toContain(
      'growth-strategy.written-goals: practice: No published tool is for this practice. Results name one, so publish it in the toolbox first.',
    );
    await expect(publish()).rejects.toMatchObject({
      message: expect.stringMatching(/^Something keeps this version from being published: /),
    });
  });

  test('It retires the version before, and what was begun stays with it', async () => {
    const { owner } = world.people;
    await save({ text: 'Do people find you?', meaning: 'new' });
    const { fingerprint } = (await read()).checks;
    expect(await refusal('publish_quiz_draft($1, $2, $3)', [draft, fingerprint, 'x'])).toMatch(
      /^22023 Give a reason/,
    );
    await save({ help: 'Somebody else' });
    expect(await refusal('publish_quiz_draft($1, $2, $3)', [draft, fingerprint, 'Now'])).toMatch(
      /^55000 Someone changed this draft/,
    );
    expect(await publish('Clearer')).toEqual({ id: draft, number: 3 });
    // Sent twice.
    expect(await ask('publish_quiz_draft($1, $2, $3)', [draft, fingerprint, 'Clearer'])).toEqual({
      id: draft,
      number: 3,
    });
    expect(await refusal('save_quiz_settings($1, 0, $2)', [draft, {}])).toMatch(
      /^55000 Version 3 has been published/,
    );
    const [entry, ...others] = await world.sql`
      select reason, details from public.audit_log where action = 'quiz_version.publish'`;
    expect(others).toEqual([]);
    expect(entry).toEqual({
      reason: 'Clearer',
      details: {
        version: 3,
        from_version: 2,
        questions_added: 0,
        questions_changed: 1,
        questions_removed: 0,
      },
    });
    const versions = await ask('admin_quiz_versions()');
    expect(versions).toMatchObject([
      { number: 3, state: 'published', published_because: 'Clearer' },
      { number: 2, state: 'retired' },
      { number: 1, state: 'retired' },
    ]);
    // The open attempt goes on with version 2 and is finished on it.
    const { alderOpen } = world.ids;
    await asPerson(
      world.sql,
      owner,
      (tx) => tx`
        insert into public.answers (attempt_id, version_id, question_key, value, applies)
        values (${alderOpen}, ${world.quiz.id}, ${FIRST}, 3, true)
        on conflict (attempt_id, question_key) do update set value = excluded.value`,
    );
    const finished = await world.ask(owner, 'finish_attempt($1)', [alderOpen]);
    expect(finished.version.number).toBe(2);
    const [quiz] = await world.as(world.people.visitor)`select get_quiz() as quiz`;
    expect(quiz?.quiz.number).toBe(3);
    const next = crypto.randomUUID();
    await world.ask(owner, 'start_attempt($1, $2, $3)', [next, draft, world.ids.alder]);
    // A retired version can be drafted from, but not taken.
    expect(
      await world.refusal(owner, 'start_attempt($1, $2)', [crypto.randomUUID(), world.quiz.id]),
    ).toMatch(/^22023 /);
    const back = crypto.randomUUID();
    await ask('create_quiz_draft($1, $2)', [back, world.quiz.id]);
    expect(await ask('admin_quiz_version($1)', [back])).toMatchObject({
      number: 4,
      before: { number: 2 },
    });
  });
});

test('How many took a version is what their attempts say after each step, without first looks', async () => {
  const { sql, quiz, ids, people } = world;
  interface Counts {
    id: string;
    started: number;
    finished: number;
  }
  /** What the list says of the current version, once that's what the attempts of each version say. */
  async function counts(): Promise<Counts> {
    const versions: Counts[] = await ask('admin_quiz_versions()');
    const said = versions.map(({ id, started, finished }) => ({ id, started, finished }));
    const there = await sql<Counts[]>`
      select v.id, count(t.id)::int as started,
        count(t.id) filter (where t.state = 'submitted')::int as finished
      from public.quiz_versions v
      left join public.attempts t on t.version_id = v.id and t.kind = 'full'
      group by v.id`;
    expect(new Set(said)).toEqual(new Set(there));
    const current = said.find(({ id }) => id === quiz.id);
    if (!current) throw new Error('The current version isn’t listed.');
    return current;
  }
  const { started, finished } = await counts();
  expect(started).toBeGreaterThan(finished);

  await world.ask(people.owner, 'finish_attempt($1)', [ids.alderOpen]);
  expect(await counts()).toMatchObject({ started, finished: finished + 1 });
  await ask('void_attempt($1, $2)', [ids.alderOpen, 'Somebody else answered']);
  expect(await counts()).toMatchObject({ started, finished });

  const id = crypto.randomUUID();
  await world.ask(people.owner, 'start_attempt($1, $2, $3)', [id, quiz.id, ids.alder]);
  expect(await counts()).toMatchObject({ started: started + 1, finished });
  await sql`update public.attempts set expires_at = now(), state = 'expired' where id = ${id}`;
  await sql`
    insert into public.attempts (id, version_id, kind)
    values (gen_random_uuid(), ${quiz.id}, 'first_look')`;
  expect(await counts()).toMatchObject({ started: started + 1, finished });
});

describe('What was published never changes', () => {
  const fixed = '55000 A published version of the quiz can’t change.';

  test('No role and no detour changes it', async () => {
    const { sql, quiz, people } = world;
    const id = quiz.id;
    const attacks: [string, RegExp | string][] = [
      [`update public.quiz_versions set discarded_at = now() where id = '${id}'`, fixed],
      [`update public.quiz_versions set state = 'retired' where id = '${id}'`, fixed],
      [`update public.quiz_versions set created_from = '${draft}' where id = '${id}'`, fixed],
      [`update public.quiz_versions set id = gen_random_uuid() where id = '${id}'`, fixed],
      [
        `update public.quiz_questions set version_id = '${draft}' where version_id = '${id}'`,
        /^55000 /,
      ],
      [
        `update public.quiz_questions set version_id = '${id}', key = 'x' where version_id = '${draft}'`,
        /^55000 /,
      ],
      [
        `insert into public.quiz_questions select * from public.quiz_questions where version_id = '${id}' on conflict (version_id, key) do update set text = 'x'`,
        fixed,
      ],
      [
        `merge into public.quiz_questions q using (select '${id}'::uuid as v) s on q.version_id = s.v when matched then delete`,
        fixed,
      ],
      [`delete from public.skill_areas`, /^23503 /],
      [`update public.skill_areas set key = 'x' where key = 'web-design'`, /^23503 /],
      ['truncate public.skill_areas cascade', /^55000 /],
      ['truncate public.quiz_versions cascade', /^55000 /],
      ['truncate public.quiz_version_areas cascade', /^55000 /],
      [
        `with d as (delete from public.quiz_versions where id = '${id}' returning 1) select from d`,
        /^55000 /,
      ],
    ];
    const before = await sql`select md5(private.quiz_version_json(${id})::text) as hash`;
    for (const [statement, refused] of attacks) {
      expect(await refusalOf(sql.unsafe(statement)), statement).toMatch(refused);
    }
    // Neither an admin nor the secret key can write at all.
    for (const who of [people.admin, { ...people.admin, role: 'service_role' as const }]) {
      for (const statement of [
        `update public.quiz_questions set text = 'x'`,
        'delete from public.quiz_version_areas',
        `insert into public.quiz_versions (id, number, title) values (gen_random_uuid(), 9, 'x')`,
        'truncate public.quiz_versions cascade',
        'alter table public.quiz_questions disable trigger all',
        'delete from private.quiz_draft_parts',
        'set session_replication_role = replica',
      ]) {
        const refused = await refusalOf(asPerson(sql, who as never, (tx) => tx.unsafe(statement)));
        expect(refused, `${who.role}: ${statement}`).toMatch(/^42501 /);
      }
    }
    expect(await sql`select md5(private.quiz_version_json(${id})::text) as hash`).toEqual(before);
  });
});

describe('Statistics', () => {
  const AREA = [
    FIRST,
    'web-design.works-for-everyone',
    'web-design.clear-next-step',
    'web-design.visits-and-leads',
  ];

  /** Finished quizzes of nobody with these answers to the questions about web design; null: doesn’t apply. */
  async function finish(count: number, values: (number | null)[]): Promise<string[]> {
    const made: string[] = [];
    for (let each = 0; each < count; each++) {
      const id = crypto.randomUUID();
      made.push(id);
      await world.sql`
        insert into public.attempts (id, version_id, kind) values (${id}, ${world.quiz.id}, 'full')`;
      for (const [place, value] of values.entries()) {
        await world.sql`
          insert into public.answers (attempt_id, version_id, question_key, value, applies)
          values (${id}, ${world.quiz.id}, ${AREA[place] ?? ''}, ${value}, ${value !== null})`;
      }
      await world.sql`select private.submit_attempt(${id})`;
    }
    return made;
  }
  const statistics = async () => {
    const { attempts, areas } = await ask('admin_quiz_statistics($1)', [world.quiz.id]);
    return { attempts, area: areas[0] };
  };

  test('They are the textbook’s, over finished quizzes that weren’t set aside', async () => {
    await world.sql`
      update public.attempts set state = 'voided', voided_at = now(), void_reason = 'A test'
      where state = 'submitted'`;
    await finish(5, [0, 0, 0, 0]);
    await finish(5, [1, 2, 1, 0]);
    await finish(5, [2, 2, 3, 4]);
    const last = await finish(4, [4, 4, 4, 4]);
    expect((await statistics()).area).toMatchObject({ complete: 19, alpha: null });
    await finish(1, [4, 4, 4, 4]);
    // Not the whole area: counts for the answers, not for alpha.
    await finish(1, [4, null, 4, 4]);
    // First looks and open quizzes don't count.
    const { attempts, area } = await statistics();
    expect(attempts).toBe(21);
    expect(area.complete).toBe(20);
    // Sums of squares: 43.75, 40, 50 and 80 of the questions, 763.75 of their sum.
    expect(area.alpha).toBeCloseTo((4 / 3) * (1 - 213.75 / 763.75), 12);
    const [a, b, , d] = area.questions;
    // One more 4: the mean of 0, 1, 2, 4 (five times each) and a 4.
    expect(a).toMatchObject({ answers: 21, not_applicable: 0, counts: [5, 5, 5, 0, 6] });
    expect(a.mean).toBeCloseTo(39 / 21, 12);
    // Σx² = 5·(0 + 1 + 4 + 16) + 16 = 121.
    expect(a.sd).toBeCloseTo(Math.sqrt((121 - 39 ** 2 / 21) / 20), 12);
    expect(b).toMatchObject({ answers: 20, not_applicable: 1, counts: [5, 0, 10, 0, 5] });
    expect(b.mean).toBe(2);
    expect(b.sd).toBeCloseTo(Math.sqrt(40 / 19), 12);
    // Its answers 0, 0, 4, 4 against the others' sums 0, 4, 7, 12.
    expect(d.discrimination).toBeCloseTo(30 / Math.sqrt(16 * 76.75), 12);
    await ask('void_attempt($1, $2)', [last[0], 'It was a test.']);
    expect((await statistics()).area).toMatchObject({ complete: 19, alpha: null });
  }, 60_000);

  test('Fewer than five answers stay unseen, and answers that are all the same have no alpha', async () => {
    await world.sql`
      update public.attempts set state = 'voided', voided_at = now(), void_reason = 'A test'
      where state = 'submitted'`;
    await finish(4, [2, 2, 2, 2]);
    const few = await statistics();
    expect(few.attempts).toBe(4);
    expect(few.area.questions[0]).toMatchObject({ answers: 4, counts: null, mean: null, sd: null });
    await finish(16, [2, 2, 2, 2]);
    expect((await statistics()).area).toMatchObject({ complete: 20, alpha: null });
    expect((await statistics()).area.questions[0]).toMatchObject({ sd: 0, discrimination: null });
    expect(await ask('admin_quiz_statistics($1)', [draft])).toBeNull();
    expect(await ask('admin_quiz_statistics($1)', [crypto.randomUUID()])).toBeNull();
  }, 60_000);
});
