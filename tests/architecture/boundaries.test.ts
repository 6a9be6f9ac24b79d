import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Report {
  diagnostics: { category: string; message: unknown }[];
}

/** Lints one file as if it stood at that place in a project with our rules. */
async function lintAs(fixture: string, place: string): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'boundaries-'));
  try {
    const file = path.join(folder, place);
    await mkdir(path.dirname(file), { recursive: true });
    await cp(path.join(root, fixture), file);
    const { stdout } = await promisify(execFile)(
      path.join(root, 'node_modules/.bin/biome'),
      [
        'lint',
        `--config-path=${path.join(root, 'tests/lint.json')}`,
        '--vcs-enabled=false',
        '--reporter=json',
        place,
      ],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    const report = JSON.parse(stdout) as Report;
    return report.diagnostics
      .filter((each) => each.category === 'lint/style/noRestrictedImports')
      .map((each) => JSON.stringify(each));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('A newcomer who imports across rooms is told so, import by import', async () => {
  const refused = await lintAs('tests/architecture/bad-import.ts.txt', 'src/features/quiz/bad.ts');
  expect(refused).toHaveLength(4);
});

test('The front door may import what a feature may not', async () => {
  const refused = await lintAs('tests/architecture/bad-import.ts.txt', 'src/server/bad.ts');
  // Its own room is allowed; another feature, supabase-js and climbing out are not.
  expect(refused).toHaveLength(3);
});
