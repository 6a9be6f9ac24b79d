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

const denied = '42501 permission denied for table attempt_confidences';
const violation =
  '42501 new row violates row-level security policy for table "attempt_confidences"';
const closed = '55000 This quiz is closed: its answers can no longer change.';

/** The upsert that the REST interface makes of what the browser sends. */
function save(
  sql: TransactionSql,
  attempt: string,
  given: { area_key?: string; rating: number; rated_at?: Date | string },
) {
  const row = {
    attempt_id: attempt,
    version_id: world.quiz.id,
    area_key: world.quiz.areas[1]?.key ?? '',
    rated_at: new Date(),
    ...given,
  };
  return sql`
    insert into public.attempt_confidences ${sql(row)}
    on conflict (attempt_id, area_key) do update set
      attempt_id = excluded.attempt_id, version_id = excluded.version_id,
      area_key = excluded.area_key, rating = excluded.rating, rated_at = excluded.rated_at
    returning rating, rated_at`;
}

describe('Who may see and change how confident somebody is', () => {
  test('Nobody writes into an attempt of somebody else, open or not', async () => {
    const { alderOpen, alderResult, cedarOpen } = world.ids;
    expect(await whoMay(world, (sql) => save(sql, alderOpen, { rating: 4 }))).toEqual(
      everyone(violation, { visitor: denied, owner: 1 }),
    );
    expect(await whoMay(world, (sql) => save(sql, cedarOpen, { rating: 4 }))).toEqual(
      everyone(violation, { visitor: denied, ownerWithCode: 1 }),
    );
    expect(await whoMay(world, (sql) => save(sql, alderResult, { rating: 4 }))).toEqual(
      everyone(violation, { visitor: denied, owner: closed }),
    );
    expect(await whoMay(world, (sql) => save(sql, crypto.randomUUID(), { rating: 4 }))).toEqual(
      everyone(violation, { visitor: denied }),
    );
  });

  test('Nor blindly, without asking for what is there', async () => {
    const row = { version_id: world.quiz.id, area_key: world.quiz.areas[1]?.key ?? '', rating: 4 };
    for (const [attempt_id, own] of [
      [world.ids.alderOpen, 'owner'],
      [world.ids.cedarOpen, 'ownerWithCode'],
    ] as const) {
      expect(
        await whoMay(
          world,
          (sql) => sql`insert into public.attempt_confidences ${sql({ ...row, attempt_id })}`,
        ),
      ).toEqual(everyone(violation, { visitor: denied, [own]: 1 }));
    }
    expect(
      await whoMay(world, (sql) => sql`update public.attempt_confidences set rating = 1`),
    ).toEqual(everyone(0, { visitor: denied, owner: 1, colleague: 1, ownerWithCode: 1 }));
  });

  test('Nobody removes any, and nobody changes what is submitted', async () => {
    expect(await whoMay(world, (sql) => sql`delete from public.attempt_confidences`)).toEqual(
      everyone(denied),
    );
    const { alderResult } = world.ids;
    expect(
      await whoMay(
        world,
        (sql) =>
          sql`update public.attempt_confidences set rating = 4 where attempt_id = ${alderResult}`,
      ),
    ).toEqual(everyone(0, { visitor: denied }));
    // Not even by moving one there.
    expect(
      await refusalOf(
        asPerson(
          world.sql,
          world.people.owner,
          (tx) => tx`update public.attempt_confidences set attempt_id = ${alderResult}`,
        ),
      ),
    ).toBe('55000 An answer stays with its question.');
    expect(
      await refusalOf(
        world.sql`update public.attempt_confidences set rating = 4 where attempt_id = ${alderResult}`,
      ),
    ).toBe(closed);
    expect(await refusalOf(world.sql`delete from public.attempt_confidences`)).toBe(
      '55000 Answers are never removed.',
    );
  });

  test('Owners read their own, the assigned coach what is submitted and shared', async () => {
    expect(
      await whoReads(world, 'attempt_confidences', '*', (row) => nameOf(world, row.attempt_id)),
    ).toEqual(
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
        asPerson(sql, people.owner, (tx) => save(tx, ids.alderOpen, { rating: 1, ...given })),
      );
    expect(await refused({ rating: 0 })).toMatch(/^23514 /);
    expect(await refused({ rating: 6 })).toMatch(/^23514 /);
    expect(await refused({ area_key: 'juggling' })).toMatch(/^23503 /);
  });

  test('The newest one counts, in whatever order they arrive, and no clock runs ahead', async () => {
    const { sql, people, ids } = world;
    const put = async (rating: number, rated_at: string) =>
      (
        await asPerson(sql, people.owner, (tx) =>
          save(tx, ids.alderOpen, { area_key: fresh, rating, rated_at }),
        )
      )[0]?.rating;
    const fresh = world.quiz.areas[5]?.key ?? '';
    expect(await put(2, '2026-02-02T10:00:00Z')).toBe(2);
    expect(await put(1, '2026-02-02T09:59:59Z')).toBe(2);
    expect(await put(1, '2026-02-02T10:00:00Z')).toBe(1);
    expect(await put(3, '2026-02-02T10:00:01Z')).toBe(3);
    expect(await put(4, '2999-01-01T00:00:00Z')).toBe(4);
    const [row] = await sql`
      select rated_at <= now() as fits from public.attempt_confidences
      where attempt_id = ${ids.alderOpen} and area_key = ${fresh}`;
    expect(row?.fits).toBe(true);
    expect(await put(2, new Date(Date.now() + 60_000).toISOString())).toBe(2);
  });

  test('An attempt whose time is over is closed before the schedule says so', async () => {
    const { sql, people, ids } = world;
    await sql`
      update public.attempts set started_at = started_at - interval '181 days',
        expires_at = expires_at - interval '181 days' where id = ${ids.alderOpen}`;
    expect(
      await refusalOf(asPerson(sql, people.owner, (tx) => save(tx, ids.alderOpen, { rating: 1 }))),
    ).toBe(closed);
  });
});
