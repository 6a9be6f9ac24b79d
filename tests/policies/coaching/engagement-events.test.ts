import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  nameOf,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table engagement_events';
const columns = 'engagement_id, kind';

describe('Who may see what happened to an engagement', () => {
  test('Nobody writes events through the API, and nobody reads the notes of staff', async () => {
    await nobodyWrites(world, 'engagement_events');
    expect(await whoMay(world, (sql) => sql`select note from public.engagement_events`)).toEqual(
      everyone(denied),
    );
  });

  test('What happened stays, for the owner of the database too', async () => {
    const { sql } = world;
    const kept = '55000 Rows of engagement_events are never changed or removed.';
    expect(await refusalOf(sql`update public.engagement_events set note = null`)).toBe(kept);
    expect(await refusalOf(sql`delete from public.engagement_events`)).toBe(kept);
    expect(await refusalOf(sql`truncate public.engagement_events`)).toBe(kept);
  });

  test('Owners read it of their engagements, coaches of those assigned to them', async () => {
    const name = (row: { engagement_id?: string; kind?: string }) =>
      `${nameOf(world, row.engagement_id ?? '')} ${row.kind}`;
    const alder = ['alderEngagement requested', 'alderEngagement state_changed'];
    const cedar = ['cedarEngagement requested', 'cedarEngagement state_changed'];
    expect(await whoReads(world, 'engagement_events', columns, name)).toEqual(
      everyone([], {
        visitor: denied,
        owner: alder,
        otherOwner: ['birchEngagement requested'],
        ownerWithCode: cedar,
        coach: [...alder, ...cedar],
      }),
    );
  });
});
