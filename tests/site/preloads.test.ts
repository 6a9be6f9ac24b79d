import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from '../fixtures/module-imports.ts';

const folder = path.join(process.env.TEST_BUILT_SITE ?? '', '_astro');

/** A script's static imports, and the scripts that it adds links for before it loads others. */
interface Script {
  imports: string[];
  linked: string[];
}

async function readScripts(): Promise<ReadonlyMap<string, Script>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Script]> => {
        const code = await readFile(path.join(folder, name), 'utf8');
        const [, list = ''] = /\.f=\[([^\]]*)\]/.exec(code) ?? [];
        const eager = importsOf(code.replace(/\bimport\s*\([^)]*\)/g, ''));
        const linked = [...list.matchAll(/"([^"]+\.js)"/g)].map(([, file = '']) => file);
        return [
          name,
          {
            imports: eager.map((file) => path.basename(file)),
            linked: linked.map((file) => path.basename(file)),
          },
        ];
      }),
    ),
  );
}

/** Everything that's loaded before a script runs, itself included. */
function loadedBefore(scripts: ReadonlyMap<string, Script>, name: string, all = new Set<string>()) {
  if (all.has(name)) return all;
  all.add(name);
  for (const each of scripts.get(name)?.imports ?? []) loadedBefore(scripts, each, all);
  return all;
}

test('A script adds links for what another one needs, but not for what it has itself', async () => {
  const scripts = await readScripts();
  const linking = [...scripts].filter(([, { linked }]) => linked.length > 0);
  expect(linking.length).toBeGreaterThan(20);
  const needless = linking.flatMap(([name, { linked }]) => {
    const there = loadedBefore(scripts, name);
    return linked.filter((each) => there.has(each)).map((each) => `${name} links to ${each}`);
  });
  expect(needless).toEqual([]);
});
