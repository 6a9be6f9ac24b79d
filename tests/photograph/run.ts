/**
 * `npm run scenes`: photographs the home page's scenes from the product, with the demo's data, in
 * both themes. Names of scenes take only those; `press` takes the press kit's pictures instead, and
 * `check` only says which scenes are older than their screens. A site is started for it, and
 * the demo's sponsored businesses have their first sessions there; `SCENES_SITE` names a running one.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { startSite } from '../e2e/support/site-process.ts';
import { openCamera } from './camera.ts';
import { findGap } from './gap.ts';
import { takePress } from './press.ts';
import { rehearse } from './rehearse.ts';
import { type Scene, scenes } from './scene-list.ts';
import {
  hashOfSources,
  outdated,
  readTaken,
  scenesFolder,
  type Taken,
  takenFile,
} from './sources.ts';

const log = (line: string) => void process.stdout.write(`${line}\n`);

/** Cuts a picture to the scene's height, between two lines, and writes it as AVIF. */
async function save(scene: Scene, theme: string, seen: Buffer) {
  const { width, height } = await sharp(seen).metadata();
  const most = 2 * (scene.most ?? height);
  const cut = most < height ? await findGap(seen, most) : height;
  const picture = sharp(seen).extract({ left: 0, top: 0, width, height: cut });
  const name = path.join(scenesFolder, `${scene.name}-${theme}`);
  const { size } = await picture.avif({ quality: 50, effort: 7 }).toFile(`${name}.avif`);
  log(`${scene.name}-${theme}: ${width}×${cut}, ${(size / 1_000).toFixed(1)} kB`);
  return { width: Math.round(width / 2), height: Math.round(cut / 2) };
}

async function takeScenes(site: string, chosen: readonly Scene[]): Promise<void> {
  const taken: Record<string, Taken> = existsSync(takenFile) ? readTaken() : {};
  const camera = await openCamera();
  try {
    for (const scene of chosen) {
      const sizes: { width: number; height: number }[] = [];
      for (const theme of ['light', 'dark'] as const) {
        // High enough that nothing fixed to the screen's bottom is in front of the part.
        const setting = { site, theme, width: scene.width, height: 3_000 };
        sizes.push(await save(scene, theme, await camera.take(setting, scene.open)));
      }
      const [light, dark] = sizes;
      if (light?.height !== dark?.height) throw new Error(`${scene.name} differs by theme.`);
      if (light) taken[scene.name] = { ...light, sources: hashOfSources(scene) };
    }
  } finally {
    await camera.close();
  }
  const inOrder = scenes.flatMap(({ name }) => (taken[name] ? [[name, taken[name]]] : []));
  await writeFile(takenFile, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
}

async function withSite(use: (site: string) => Promise<void>): Promise<void> {
  if (process.env.SCENES_SITE) return use(process.env.SCENES_SITE);
  const folder = await mkdtemp(path.join(tmpdir(), 'trellis-scenes-'));
  const site = await startSite({ DATA_DIR: folder, DATABASE_URL: '', DEMO: '1' });
  try {
    await rehearse(folder);
    await use(site.url);
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2);
const chosen = named.length > 0 ? scenes.filter(({ name }) => named.includes(name)) : scenes;

if (named.includes('check')) {
  const old = outdated(scenes);
  if (old.length > 0) {
    log(`Scenes of the home page are older than their screens: ${old.join(', ')}. Look at the`);
    log(`screens, and take new pictures: npm run scenes -- ${old.join(' ')}`);
  }
} else {
  await withSite((site) =>
    named.includes('press') ? takePress(site, log) : takeScenes(site, chosen),
  );
}
