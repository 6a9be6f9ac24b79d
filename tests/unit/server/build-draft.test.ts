import { mkdir, readdir, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openDraft } from '#server/kept-builds.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const dist = temporaryFolder();

test('A build that runs elsewhere is left alone; one that was killed is removed when it is too old to run', async () => {
  await mkdir(join(dist(), '0123456789abcdef/client'), { recursive: true });
  const [running, killed] = [await openDraft(dist()), await openDraft(dist())];
  for (const folder of [running, killed]) await mkdir(join(folder, 'client'), { recursive: true });
  const longAgo = Date.now() / 1_000 - 2 * 3_600;
  for (const folder of [killed, join(dist(), '0123456789abcdef')]) {
    await utimes(folder, longAgo, longAgo);
  }
  await openDraft(dist());
  expect((await readdir(dist())).sort()).toEqual(['0123456789abcdef', basename(running)]);
});
