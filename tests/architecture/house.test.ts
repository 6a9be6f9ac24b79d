import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const code = tracked.filter((file) => /^(src|tests)\/.*\.(ts|tsx|astro|css)$/.test(file));

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

test('A newcomer finds at the top only what the map of the house names', () => {
  const top = [...new Set(tracked.map((file) => file.split('/')[0]))];
  expect(top.filter((entry) => !AT_THE_TOP.includes(entry ?? ''))).toEqual([]);
});

test('Nobody looks for a thing in a drawer without a name', () => {
  const drawers = /(^|\/)(utils?|helpers?|misc|common)(\/|\.[a-z]+$)/;
  expect(code.filter((file) => drawers.test(file))).toEqual([]);
});

test('Files are named in kebab case, components in Pascal case', () => {
  const wrong = code.filter((file) => {
    const name = path.basename(file).replace(/\..*$/, '');
    if (file.endsWith('.tsx') && !file.startsWith('tests/')) return !/^[A-Za-z]/.test(name);
    if (file.endsWith('.ts')) return !/^[a-z0-9-]+$|^\[\w+\]$/.test(name);
    return false;
  });
  expect(wrong).toEqual([]);
});

test('Colours are named by role: a raw one stands only in the tokens', () => {
  const raw = /#[0-9a-f]{3,8}\b|\b(?:oklch|rgba?|hsla?)\(/i;
  const dressed = code.filter(
    (file) =>
      /^src\/(ui|components|layouts|features|pages|styles)\//.test(file) &&
      !file.endsWith('tokens.css'),
  );
  const found = dressed.flatMap((file) =>
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

test('The focus moves at once, never by a timer that takes it from somebody who has moved on', () => {
  // react-hook-form's setFocus waits for one; autoFocus and focus() don't.
  const late = code.filter((file) => file.startsWith('src/') && /\bsetFocus\b/.test(read(file)));
  expect(late).toEqual([]);
});

test('Nothing waits without end for a browser that has time', () => {
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
  expect(waiting).toEqual(['src/lib/when-idle.ts']);
});

test('Dates and times are written in one place, in the zone of their reader', () => {
  const written =
    /Intl\.DateTimeFormat|\.toLocale(Date|Time)String\(|Date\([^)]*\)\.toLocaleString\(/;
  const files = code.filter((file) => file.startsWith('src/') && written.test(read(file)));
  expect(files.toSorted()).toEqual([
    // Runs in a page as it is and imports nothing.
    'src/components/events/keep-current.ts',
    'src/lib/dates.ts',
    'src/lib/time-zones.ts',
  ]);
});

test('A screen that breaks says what happened: every one is made by screen(), and islands are screens', () => {
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

test('Nothing is said to be of a type that it may not have', () => {
  const cast = ['as', 'unknown', 'as'].join(' ');
  expect(code.filter((file) => read(file).includes(cast))).toEqual([]);
});

test('What a procedure answers is read by a schema', () => {
  const called = code.filter((file) => file.startsWith('src/') && /\.rpc\(/.test(read(file)));
  expect(called).toEqual(['src/lib/rpc.ts']);
});

test('Dependencies are pinned to one version each', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).filter(([, version]) => !/^(npm:.*@)?\d/.test(version)),
  );
  expect(loose).toEqual([]);
});

test('The name of the product stands in its content file alone', () => {
  const { product } = parse(read('content/site.yaml')) as { product: string };
  const named = code
    .filter((file) => file.startsWith('src/') && !file.startsWith('src/backend/local/demo'))
    .filter((file) =>
      read(file)
        .split('\n')
        .some((line) => line.includes(product) && !/^\s*(\/\/|\*|\/\*|<!--|--)/.test(line)),
    );
  // `Trellis` is also the name of the drawing: its files, imports and tags are not the product.
  expect(
    named.filter((file) => !/drawings|components\/Trellis|Trellis\.(astro|tsx)/.test(read(file))),
  ).toEqual([]);
});

test('What a function of the database does is read in one place: each is written once', () => {
  const schemas = tracked.filter((file) => file.endsWith('.sql') && file.includes('/schemas/'));
  const written = schemas.flatMap((file) =>
    [...read(file).matchAll(/^create function ([\w.]+\([^)]*\))/gm)].map(([, name]) => name),
  );
  expect(written.length).toBeGreaterThan(100);
  expect(written.filter((name, index) => written.indexOf(name) !== index)).toEqual([]);
  const again = /^(create or replace|drop) (function|trigger|policy|view|index)\b/m;
  expect(schemas.filter((file) => again.test(read(file)))).toEqual([]);
});
