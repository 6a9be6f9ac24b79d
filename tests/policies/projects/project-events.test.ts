import { beforeAll, describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoReads } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = prepareWorld();
const id = crypto.randomUUID();
beforeAll(async () => {
  await createProject(world, id);
});

const denied = '42501 permission denied for table project_events';

describe('Who may see and change rows of project events', () => {
  test('Nobody writes the table', () => nobodyWrites(world, 'project_events'));

  test('Only members and the assigned coach read', async () => {
    expect(await whoReads(world, 'project_events', '*', (row) => `${row.kind}`)).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['created'],
        colleague: ['created'],
        coach: ['created'],
      }),
    );
  });
});
