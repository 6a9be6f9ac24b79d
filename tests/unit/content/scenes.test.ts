import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#backend/local/project-root.ts';
import { homeSchema } from '#collections/site.ts';
import { TRANSLATIONS } from '#domain/language.ts';
import { scenes } from '../../photograph/scene-list.ts';
import { hashOfSources, outdated, readTaken, scenesFolder } from '../../photograph/sources.ts';
import { yaml } from './content-files.ts';

const MOST_BYTES = 40_000;
const taken = readTaken();

describe.each(scenes)('The scene $name', ({ name, sources }) => {
  test.each(['light', 'dark'])('is a picture of at most 40 kB in the %s theme', async (theme) => {
    const file = path.join(scenesFolder, `${name}-${theme}.avif`);
    expect(statSync(file).size).toBeLessThanOrEqual(MOST_BYTES);
    const { width, height } = await sharp(file).metadata();
    const size = taken[name];
    // At twice the density; half a pixel may be cut off.
    expect(Math.abs(width - 2 * (size?.width ?? 0))).toBeLessThanOrEqual(1);
    expect(Math.abs(height - 2 * (size?.height ?? 0))).toBeLessThanOrEqual(1);
  });

  test('names sources that exist', () => {
    expect(hashOfSources({ sources })).toMatch(/^[0-9a-f]{16}$/);
  });
});

test('Each scene of the home page is one that can be photographed', () => {
  const { steps, coaching, organizations } = yaml('home.yaml', homeSchema);
  const english = [...steps.items, coaching, organizations].map(({ scene }) => scene);
  // The quiz and its results, which the steps show, are in every language.
  const used = [
    ...english,
    ...TRANSLATIONS.flatMap((language) => steps.items.map(({ scene }) => `${scene}-${language}`)),
  ];
  expect(used.sort()).toEqual(scenes.map(({ name }) => name).sort());
});

test('A scene is older than its screen once one of its sources changes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sources-'));
  writeFileSync(path.join(folder, 'Screen.tsx'), 'as photographed');
  const scene = {
    ...scenes[0],
    name: 'made-up',
    sources: [path.relative(projectRoot, folder)],
  } as (typeof scenes)[number];
  const before = { 'made-up': { width: 1, height: 1, sources: hashOfSources(scene) } };
  expect(outdated([scene], before)).toEqual([]);
  writeFileSync(path.join(folder, 'Screen.tsx'), 'changed since');
  expect(outdated([scene], before)).toEqual(['made-up']);
  expect(outdated([scene], {})).toEqual(['made-up']);
});
