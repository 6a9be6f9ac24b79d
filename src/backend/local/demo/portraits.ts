/** Coaches of the demo have the faces that the public pages draw, as photos that they uploaded. */
import { readFile } from 'node:fs/promises';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import { inProject } from '../project-root.ts';
import { idOf, queryAs } from './builders.ts';
import { demoStaff, known } from './people.ts';
import { addStoredFile, type StoredFile } from './stored-files.ts';

/** As large as the photos that browsers crop. */
const SIDE = 512;

/** A drawn portrait in the format that browsers send. The image library is only loaded for this. */
async function photoOf(name: string): Promise<Uint8Array> {
  const drawn = await readFile(inProject(`src/assets/portraits/${name}.svg`));
  const { default: sharp } = await import('sharp');
  // Drawn larger than its 160 pixels, instead of enlarged.
  return sharp(drawn, { density: 72 * 4 })
    .resize(SIDE, SIDE)
    .webp({ quality: 90 })
    .toBuffer();
}

/** The coaches' photos, by their email addresses. */
export const portraits: readonly (StoredFile & { email: string })[] = demoStaff.flatMap(
  (person) => {
    if (person.role !== 'coach') return [];
    const name = person.fullName.toLowerCase().replaceAll(' ', '-');
    return {
      email: person.email,
      bucket: 'avatars',
      path: `${idOf(`person ${person.email}`)}/${idOf(`portrait ${name}`)}.webp`,
      type: 'image/webp',
      read: () => photoOf(name),
    };
  },
);

/** Gives the coaches their photos, with the procedure that their browsers call. */
export async function addPortraits(
  db: Database,
  people: Parameters<typeof known>[0],
): Promise<void> {
  for (const file of portraits) {
    const coach = known(people, file.email);
    await addStoredFile(db, file, (await file.read()).length, coach);
    await queryAs(db, coach)`select public.set_avatar(${file.path})`;
  }
}
