import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectFiles, root } from './layers.ts';

const files = projectFiles('.');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const code = files.filter((file) => /^(src|tests)\/.*\.(ts|tsx|astro|css)$/.test(file));

const AT_THE_TOP = [
  '.ci',
  '.env.example',
  '.gitignore',
  '.nvmrc',
  'CHANGELOG.md',
  'Dockerfile',
  'LICENSE',
  'README.md',
  'astro.config.mjs',
  'content',
  'exec.cmd',
  'package-lock.json',
  'package.json',
  'public',
  'src',
  'tests',
  'tsconfig.json',
];

test('Nothing is added at the top: move it to a folder, or add it to the list above and the README', () => {
  const top = [...new Set(files.map((file) => file.split('/')[0]))];
  expect(top.filter((entry) => !AT_THE_TOP.includes(entry ?? ''))).toEqual([]);
});

test('Files and folders are named for what they hold, not utils, helpers, misc or common', () => {
  const vague = /(^|\/)(utils?|helpers?|misc|common)(\/|\.[a-z]+$)/;
  expect(code.filter((file) => vague.test(file))).toEqual([]);
});

test('Files are named in kebab case (my-thing.ts), components in Pascal case (MyThing.tsx)', () => {
  const wrong = code.filter((file) => {
    const name = path.basename(file).replace(/\..*$/, '');
    if (file.endsWith('.tsx') && !file.startsWith('tests/')) return !/^[A-Za-z]/.test(name);
    if (file.endsWith('.ts')) return !/^[a-z0-9-]+$|^\[\w+\]$/.test(name);
    return false;
  });
  expect(wrong).toEqual([]);
});

test('Colors are named by role: add one to styles/tokens.css and use its name', () => {
  const raw = /#[0-9a-f]{3,8}\b|\b(?:oklch|rgba?|hsla?)\(/i;
  const styled = code.filter(
    (file) =>
      /^src\/(ui|components|layouts|features|pages|styles)\//.test(file) &&
      !file.endsWith('tokens.css'),
  );
  const found = styled.flatMap((file) =>
    read(file)
      .split('\n')
      .filter(
        (line) =>
          raw.test(line) &&
          !/['"`]#[a-z-]+\//.test(line) &&
          !/href=|url\(#|id=|theme-color/.test(line),
      )
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('Call focus() or use autoFocus: setFocus of react-hook-form moves the focus by a timer', () => {
  const late = code.filter((file) => file.startsWith('src/') && /\bsetFocus\b/.test(read(file)));
  expect(late).toEqual([]);
});

test('Whatever waits for an idle browser has a time limit: client:idle={IDLE}, or lib/browser/when-idle.ts', () => {
  const islands = code
    .filter((file) => file.endsWith('.astro'))
    .flatMap((file) =>
      [...read(file).matchAll(/client:idle\S*/g)].map(([directive]) => `${file}: ${directive}`),
    );
  expect(islands.length).toBeGreaterThan(0);
  expect(islands.filter((each) => !each.endsWith('client:idle={IDLE}'))).toEqual([]);
  const waiting = code.filter(
    (file) => file.startsWith('src/') && read(file).includes('requestIdleCallback('),
  );
  expect(waiting).toEqual(['src/lib/browser/when-idle.ts']);
});

test('Dates and times are formatted by lib/locale/dates.ts, in the time zone of their reader', () => {
  const written =
    /Intl\.DateTimeFormat|\.toLocale(Date|Time)String\(|Date\([^)]*\)\.toLocaleString\(/;
  const files = code.filter((file) => file.startsWith('src/') && written.test(read(file)));
  expect(files.toSorted()).toEqual([
    // Inlined into a page as it is, so it can't import anything.
    'src/components/events/keep-current.ts',
    'src/lib/locale/dates.ts',
    'src/lib/locale/time-zones.ts',
    // Only asks Intl what time it is in a zone.
    'src/lib/locale/zone-offsets.ts',
  ]);
});

test('Every …Screen.tsx exports screen(…) as its default, once, and every island is a …Screen', () => {
  const screens = code.filter((file) => /^src\/features\/.*Screen\.tsx$/.test(file));
  expect(screens.length).toBeGreaterThan(40);
  const bare = screens.filter((file) => {
    const exported = read(file).match(/^export default .*/gm) ?? [];
    return exported.length !== 1 || !/^export default screen\(/.test(exported[0] ?? '');
  });
  expect(bare).toEqual([]);
  const islands = code
    .filter((file) => file.endsWith('.astro'))
    .flatMap((file) =>
      [...read(file).matchAll(/<(\w+)[^<>]*?\sclient:/g)].map(([, name]) => `${file}: ${name}`),
    );
  expect(islands.length).toBeGreaterThan(40);
  expect(islands.filter((each) => !each.endsWith('Screen'))).toEqual([]);
});

test('Nothing is cast by way of unknown: read it by a schema or a type guard', () => {
  const cast = ['as', 'unknown', 'as'].join(' ');
  expect(code.filter((file) => read(file).includes(cast))).toEqual([]);
});

test('Procedures are called by rpc() of lib/rpc.ts, which reads the answer by a schema', () => {
  const called = code.filter((file) => file.startsWith('src/') && /\.rpc\(/.test(read(file)));
  expect(called).toEqual(['src/lib/rpc.ts']);
});

test('Every kind of write is listed in sync/kinds/index.ts, so that every page sends it', () => {
  const list = read('src/sync/kinds/index.ts');
  const kinds = code.filter((file) => /^src\/sync\/kinds\//.test(file) && isKind(read(file)));
  expect(kinds.length).toBeGreaterThan(5);
  expect(kinds.filter((file) => !list.includes(`'./${path.basename(file)}'`))).toEqual([]);
});
const isKind = (text: string) => /= define(Text)?Kind\(/.test(text);

test('Each dependency is pinned to one version: npm install --save-exact', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).filter(([, version]) => !/^(npm:.*@)?\d/.test(version)),
  );
  expect(loose).toEqual([]);
});

test('The name of the product is read from content/site.yaml, never written in code', () => {
  const { product } = parse(read('content/site.yaml')) as { product: string };
  const named = code
    .filter((file) => file.startsWith('src/') && !file.startsWith('src/backend/local/demo'))
    .filter((file) =>
      read(file)
        .split('\n')
        .some((line) => line.includes(product) && !/^\s*(\/\/|\*|\/\*|<!--|--)/.test(line)),
    );
  expect(named).toEqual([]);
});

test('Each database function is written once: change it where it is, without drop or replace', () => {
  const schemas = files.filter((file) => file.endsWith('.sql') && file.includes('/schemas/'));
  const written = schemas.flatMap((file) =>
    [...read(file).matchAll(/^create function ([\w.]+\([^)]*\))/gm)].map(([, name]) => name),
  );
  expect(written.length).toBeGreaterThan(100);
  expect(written.filter((name, index) => written.indexOf(name) !== index)).toEqual([]);
  const again = /^(create or replace|drop) (function|trigger|policy|view|index)\b/m;
  expect(schemas.filter((file) => again.test(read(file)))).toEqual([]);
});
