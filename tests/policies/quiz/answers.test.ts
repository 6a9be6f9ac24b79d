import type { TransactionSql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import {
  everyone,
  nameOf,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table answers';
const violation = '42501 new row violates row-level security policy for table "answers"';
const closed = '55000 This quiz is closed: its answers can no longer change.';

/** The upsert that the REST interface makes of what the browser sends. */
function save(
  sql: TransactionSql,
  attempt: string,
  given: { question_key?: string; value: number; answered_at?: Date | string },
) {
  const row = {
    attempt_id: attempt,
    version_id: world.quiz.id,
    question_key: world.quiz.questions[1]?.key ?? '',
    answered_at: new Date(),
    ...given,
  };
  return sql`
    insert into public.answers ${sql(row)}
    on conflict (attempt_id, question_key) do update set
      attempt_id = excluded.attempt_id, version_id = excluded.version_id,
      question_key = excluded.question_key, value = excluded.value, answered_at = excluded.answered_at
    returning value, answered_at`;
}

describe('Who may see and change answers', () => {
  test('Nobody writes into an attempt of somebody else, open or not', async () => {
    const { alderOpen, alderResult, cedarOpen } = world.ids;
    expect(await whoMay(world, (sql) => save(sql, alderOpen, { value: 4 }))).toEqual(
      everyone(violation, { visitor: denied, owner: 1 }),
    );
    expect(await whoMay(world, (sql) => save(sql, cedarOpen, { value: 4 }))).toEqual(
      everyone(violation, { visitor: denied, ownerWithCode: 1 }),
    );
    expect(await whoMay(world, (sql) => save(sql, alderResult, { value: 4 }))).toEqual(
      everyone(violation, { visitor: denied, owner: closed }),
    );
    expect(await whoMay(world, (sql) => save(sql, crypto.randomUUID(), { value: 4 }))).toEqual(
      everyone(violation, { visitor: denied }),
    );
  });

  test('Nor blindly, without asking for what is there', async () => {
    const row = {
      version_id: world.quiz.id,
      question_key: world.quiz.questions[1]?.key ?? '',
      value: 4,
    };
    for (const [attempt_id, own] of [
      [world.ids.alderOpen, 'owner'],
      [world.ids.cedarOpen, 'ownerWithCode'],
    ] as const) {
      expect(
        await whoMay(
          world,
          (sql) => sql`insert into public.answers ${sql({ ...row, attempt_id })}`,
        ),
      ).toEqual(everyone(violation, { visitor: denied, [own]: 1 }));
    }
    expect(await whoMay(world, (sql) => sql`update public.answers set value = 1`)).toEqual(
      everyone(0, { visitor: denied, owner: 1, colleague: 1, ownerWithCode: 1 }),
    );
  });

  test('Nobody removes any, and nobody changes what is submitted', async () => {
    expect(await whoMay(world, (sql) => sql`delete from public.answers`)).toEqual(everyone(denied));
    const { alderResult } = world.ids;
    expect(
      await whoMay(
        world,
        (sql) => sql`update public.answers set value = 4 where attempt_id = ${alderResult}`,
      ),
    ).toEqual(everyone(0, { visitor: denied }));
    // Not even by moving one there.
    expect(
      await refusalOf(
        asPerson(
          world.sql,
          world.people.owner,
          (tx) => tx`update public.answers set attempt_id = ${alderResult}`,
        ),
      ),
    ).toBe('55000 An answer stays with its question.');
    expect(
      await refusalOf(
        world.sql`update public.answers set value = 4 where attempt_id = ${alderResult}`,
      ),
    ).toBe(closed);
    expect(await refusalOf(world.sql`delete from public.answers`)).toBe(
      '55000 Answers are never removed.',
    );
  });

  test('Owners read their own, the assigned coach what is submitted and shared', async () => {
    expect(await whoReads(world, 'answers', '*', (row) => nameOf(world, row.attempt_id))).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['alderOpen', 'alderResult'],
        colleague: ['colleagueOpen'],
        otherOwner: ['birchResult'],
        ownerWithCode: ['cedarOpen', 'cedarResult'],
        coach: ['alderResult'],
      }),
    );
  });

  test('What does not fit is refused', async () => {
    const { sql, people, ids } = world;
    const refused = (given: object) =>
      refusalOf(
        asPerson(sql, people.owner, (tx) => save(tx, ids.alderOpen, { value: 1, ...given })),
      );
    expect(await refused({ value: 5 })).toMatch(/^23514 /);
    expect(await refused({ value: null })).toMatch(/^23514 /);
    expect(await refused({ value: 2, applies: false })).toMatch(/^23514 /);
    expect(await refused({ question_key: 'web-design.nothing' })).toMatch(/^23503 /);
    expect(await refused({ version_id: crypto.randomUUID() })).toMatch(/^23503 /);
  });

  test('The newest one counts, in whatever order they arrive, and no clock runs ahead', async () => {
    const { sql, people, ids } = world;
    const put = async (value: number, answered_at: string) =>
      (
        await asPerson(sql, people.owner, (tx) =>
          save(tx, ids.alderOpen, { question_key: fresh, value, answered_at }),
        )
      )[0]?.value;
    const fresh = world.quiz.questions[7]?.key ?? '';
    expect(await put(2, '2026-02-02T10:00:00Z')).toBe(2);
    expect(await put(1, '2026-02-02T09:59:59Z')).toBe(2);
    expect(await put(1, '2026-02-02T10:00:00Z')).toBe(1);
    expect(await put(3, '2026-02-02T10:00:01Z')).toBe(3);
    expect(await put(4, '2999-01-01T00:00:00Z')).toBe(4);
    const [row] = await sql`
      select answered_at <= now() as fits from public.answers
      where attempt_id = ${ids.alderOpen} and question_key = ${fresh}`;
    expect(row?.fits).toBe(true);
    expect(await put(2, new Date(Date.now() + 60_000).toISOString())).toBe(2);
  });

  test('An attempt whose time is over is closed before the schedule says so', async () => {
    const { sql, people, ids } = world;
    await sql`
      update public.attempts set started_at = started_at - interval '181 days',
        expires_at = expires_at - interval '181 days' where id = ${ids.alderOpen}`;
    expect(
      await refusalOf(asPerson(sql, people.owner, (tx) => save(tx, ids.alderOpen, { value: 1 }))),
    ).toBe(closed);
  });
});
