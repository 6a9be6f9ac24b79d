import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDraft } from '#server/build-draft.ts';

let dist: string;
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'dist-'));
});
afterEach(async () => {
  await rm(dist, { recursive: true, force: true });
});

const module = fileURLToPath(import.meta.resolve('#server/build-draft.ts'));
/** A build in another process, which has written its first file. */
async function startBuilding() {
  const script = `
    import { mkdir, writeFile } from 'node:fs/promises';
    const { openDraft } = await import(process.argv[1]);
    const { path } = await openDraft(process.argv[2]);
    await mkdir(path + '/client', { recursive: true });
    await writeFile(path + '/client/index.html', '');
    process.stdout.write('building');
    setInterval(() => {}, 1000);`;
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const args = [...flags, '--input-type=module', '-e', script, module, dist];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('A killed build is removed by the next one, a running one is not disturbed', async () => {
  const left = `unfinished-1234@${hostname()}`;
  await mkdir(join(dist, left, 'client'), { recursive: true });
  await writeFile(join(dist, left, 'client/index.html'), '');
  await mkdir(join(dist, '0123456789abcdef'));
  const killed = await startBuilding();
  const [first = ''] = (await readdir(dist)).filter((name) => name.startsWith('unfinished-'));
  expect(first).not.toBe(left);

  const running = await startBuilding();
  expect(await readdir(dist)).toHaveLength(3);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const draft = await openDraft(dist);
  const names = await readdir(dist);
  expect(names).toHaveLength(2);
  expect(names).not.toContain(first);

  running.kill('SIGKILL');
  await once(running, 'exit');
  await mkdir(draft.path);
  await draft.remove();
  await (await openDraft(dist)).remove();
  expect(await readdir(dist)).toEqual(['0123456789abcdef']);
});

test('A build that runs in another container is left alone, and removed when it is too old to run', async () => {
  const folder = join(dist, 'unfinished-1234@another-machine');
  await mkdir(folder);
  await (await openDraft(dist)).remove();
  expect(await readdir(dist)).toEqual(['unfinished-1234@another-machine']);
  const longAgo = Date.now() / 1_000 - 2 * 3_600;
  await utimes(folder, longAgo, longAgo);
  await (await openDraft(dist)).remove();
  expect(await readdir(dist)).toEqual([]);
});
