import type { TransactionSql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import {
  everyone,
  expectReaders,
  openWorld,
  refusalOf,
  undone,
  whoMay,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, as, ids, quiz, people } = world;
const { owner } = people;

const closed = '55000 This quiz is closed, so its answers can’t change anymore.';
const question = { version_id: quiz.id, question_key: quiz.questions[1]?.key ?? '' };
const area = { version_id: quiz.id, area_key: quiz.areas[1]?.key ?? '' };

/** Answers and ratings follow the same rules, so both tables run the same tests. */
describe.each([
  {
    table: 'answers',
    key: 'question_key',
    value: 'value',
    time: 'answered_at',
    row: question,
    fresh: { ...question, question_key: quiz.questions[7]?.key ?? '' },
    misfits: [
      [{ value: 5 }, '23514'],
      [{ value: null }, '23514'],
      [{ value: 2, applies: false }, '23514'],
      [{ question_key: 'web-design.nothing' }, '23503'],
      [{ version_id: crypto.randomUUID() }, '23503'],
    ] as const,
  },
  {
    table: 'attempt_confidences',
    key: 'area_key',
    value: 'rating',
    time: 'rated_at',
    row: area,
    fresh: { ...area, area_key: quiz.areas[5]?.key ?? '' },
    misfits: [
      [{ rating: 0 }, '23514'],
      [{ rating: 6 }, '23514'],
      [{ area_key: 'juggling' }, '23503'],
    ] as const,
  },
])('Who may see and change $table', ({ table, key, value, time, row, fresh, misfits }) => {
  const denied = `42501 permission denied for table ${table}`;
  const violation = `42501 new row violates row-level security policy for table "${table}"`;
  const rows = sql(`public.${table}`);

  /** The upsert that the REST interface runs for the browser's request. */
  const save = (tx: TransactionSql, attempt: string, given: object = {}) => {
    const saved = { attempt_id: attempt, ...row, [value]: 4, [time]: new Date(), ...given };
    return tx`
      insert into ${rows} ${tx(saved)}
      on conflict (attempt_id, ${tx(key)}) do update set
        attempt_id = excluded.attempt_id, version_id = excluded.version_id,
        ${tx(key)} = excluded.${tx(key)}, ${tx(value)} = excluded.${tx(value)},
        ${tx(time)} = excluded.${tx(time)}
      returning ${tx(value)} as value`;
  };
  const saveOwn = (given: object) => asPerson(sql, owner, (tx) => save(tx, ids.alderOpen, given));

  test.each([
    ['alderOpen', { owner: 1 }],
    ['cedarOpen', { ownerWithCode: 1 }],
    ['alderResult', { owner: closed }],
    ['unknown', {}],
  ] as const)('Only the owner of the open attempt %s writes into it', async (name, but) => {
    const attempt = name === 'unknown' ? crypto.randomUUID() : ids[name];
    const expected = everyone(violation, { visitor: denied, ...but });
    expect(await whoMay(world, (tx) => save(tx, attempt))).toEqual(expected);
    // A plain insert, which doesn't read the existing row.
    const plain = { attempt_id: attempt, ...row, [value]: 4 };
    expect(await whoMay(world, (tx) => tx`insert into ${rows} ${tx(plain)}`)).toEqual(expected);
  });

  test('No one removes any, and no one changes what is submitted', async () => {
    const { alderResult } = ids;
    const submitted = sql`${rows} set ${sql(value)} = 4 where attempt_id = ${alderResult}`;
    expect(await whoMay(world, (tx) => tx`delete from ${rows}`)).toEqual(everyone(denied));
    expect(await whoMay(world, (tx) => tx`update ${submitted}`)).toEqual(
      everyone(0, { visitor: denied }),
    );
    expect(await whoMay(world, (tx) => tx`update ${rows} set ${tx(value)} = 1`)).toEqual(
      everyone(0, { visitor: denied, owner: 1, colleague: 1, ownerWithCode: 1 }),
    );
    expect(await refusalOf(as(owner)`update ${rows} set attempt_id = ${alderResult}`)).toBe(
      '55000 An answer stays with its question.',
    );
    // Even the database owner is rejected.
    expect(await refusalOf(sql`update ${submitted}`)).toBe(closed);
    expect(await refusalOf(sql`delete from ${rows}`)).toBe('55000 Answers are never removed.');
  });

  test('Owners read their own, the assigned coach what is submitted and shared', () =>
    expectReaders(world, table, 'attempt_id', {
      owner: ['alderOpen', 'alderResult'],
      colleague: ['colleagueOpen'],
      otherOwner: ['birchResult'],
      ownerWithCode: ['cedarOpen', 'cedarResult'],
      coach: ['alderResult'],
    }));

  test('Values that do not fit are refused', async () => {
    for (const [given, code] of misfits) {
      expect(await refusalOf(saveOwn({ [value]: 1, ...given }))).toContain(code);
    }
  });

  test('The newest one counts, in any order of arrival, and no clock runs ahead', async () => {
    const put = async (number: number, at: string) =>
      (await saveOwn({ ...fresh, [value]: number, [time]: at }))[0]?.value;
    expect(await put(2, '2026-02-02T10:00:00Z')).toBe(2);
    expect(await put(1, '2026-02-02T09:59:59Z')).toBe(2);
    expect(await put(1, '2026-02-02T10:00:00Z')).toBe(1);
    expect(await put(3, '2026-02-02T10:00:01Z')).toBe(3);
    expect(await put(4, '2999-01-01T00:00:00Z')).toBe(4);
    const [stored] = await sql`
      select ${sql(time)} <= now() as fits from ${rows}
      where attempt_id = ${ids.alderOpen} and ${sql(key)} = ${Object.values(fresh)[1] ?? ''}`;
    expect(stored?.fits).toBe(true);
    expect(await put(2, new Date(Date.now() + 60_000).toISOString())).toBe(2);
  });

  test('An attempt whose time is over is closed before the schedule closes it', () =>
    undone(sql, async (tx) => {
      await tx`
        update public.attempts set started_at = started_at - interval '181 days',
          expires_at = expires_at - interval '181 days' where id = ${ids.alderOpen}`;
      expect(await refusalOf(tx.savepoint((inner) => save(inner, ids.alderOpen)))).toBe(closed);
    }));
});
