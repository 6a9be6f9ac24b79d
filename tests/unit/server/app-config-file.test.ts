import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeAppConfig } from '#server/build.ts';

test('The settings of a built site say where the backend is, or that there is none', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'trellis-config-'));
  const written = async () =>
    JSON.parse(await readFile(path.join(folder, 'app-config.json'), 'utf8')) as unknown;
  await writeAppConfig(folder);
  expect(await written()).toBeNull();
  const backend = { url: 'https://abc.supabase.co', publishableKey: 'sb_publishable_x' };
  await writeAppConfig(folder, { kind: 'supabase', ...backend });
  expect(await written()).toEqual({
    supabaseUrl: backend.url,
    publishableKey: backend.publishableKey,
  });
  await rm(folder, { recursive: true });
});
