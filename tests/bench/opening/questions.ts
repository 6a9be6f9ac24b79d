import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Figure, figure } from '../report.ts';
import { nameOf, openScreen, screensOf } from '../signed-in-screens.ts';

/** Budget: requests to the database before a screen's first paint, including authentication. */
const QUESTIONS = 3;
/** Settings that make a site log its pages' requests to the backend. */
export const countingSettings = (file: string): Record<string, string> => ({
  QUESTIONS_FILE: file,
  NODE_OPTIONS: `--import ${path.join(import.meta.dirname, 'count-questions.ts')}`,
});

/** How many backend requests each of an owner's screens makes; `cookie` is the owner's. */
export async function questions(site: string, cookie: string, file: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const address of await screensOf(site, cookie)) {
    await writeFile(file, '');
    await openScreen(site + address, cookie);
    const asked = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    figures.push({ ...figure(nameOf(address), asked.length, '', QUESTIONS), least: 1 });
  }
  return figures;
}
