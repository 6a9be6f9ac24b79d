import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectFiles, readLayers, refusedImports, root } from './layers.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const layers = readLayers(read('README.md'));
const bad = read('tests/architecture/bad-import.ts.txt');

test('Layers import only what the table in the README allows', () => {
  const files = projectFiles('src').filter((file) => /(?<!\.d)\.(ts|tsx|astro)$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  const refused = files.flatMap((file) =>
    refusedImports(layers, file.replace('src/', ''), read(file)),
  );
  expect(refused).toEqual([]);
});

test('A feature that imports another feature, or the server, is told so, import by import', () => {
  expect(refusedImports(layers, 'features/quiz/bad.ts', bad)).toEqual([
    expect.stringContaining('src/features/quiz/bad.ts imports features/profile/profile-store.ts'),
    expect.stringContaining('src/features/quiz/bad.ts imports server/settings.ts'),
  ]);
  expect(refusedImports(layers, 'features/profile/bad.ts', bad)).toHaveLength(1);
  expect(refusedImports(layers, 'server/bad.ts', bad)).toHaveLength(2);
  expect(refusedImports(layers, 'no-such-layer/bad.ts', bad)).toHaveLength(1);
});

/** Lints the bad imports at these paths, and returns the paths that fail, with the rule. */
async function lintAs(files: string[]): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'boundaries-'));
  try {
    for (const file of files) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), bad);
    }
    const config = `--config-path=${path.join(root, 'tests/lint.json')}`;
    const { stdout } = await promisify(execFile)(
      path.join(root, 'node_modules/.bin/biome'),
      ['lint', config, '--vcs-enabled=false', '--reporter=json', '.'],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { category: string; location: { path: string } }[];
    };
    return diagnostics.map(({ category, location }) => `${location.path} ${category}`).sort();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('Only lib/supabase.ts imports supabase-js and only lib/http.ts calls fetch', async () => {
  const files = ['src/data/bad.ts', 'src/lib/bad.ts', 'src/lib/http.ts', 'src/lib/supabase.ts'];
  expect(await lintAs(files)).toEqual([
    'src/data/bad.ts lint/style/noRestrictedGlobals',
    'src/data/bad.ts lint/style/noRestrictedImports',
    'src/lib/bad.ts lint/style/noRestrictedGlobals',
    'src/lib/bad.ts lint/style/noRestrictedImports',
    'src/lib/http.ts lint/style/noRestrictedImports',
  ]);
});
