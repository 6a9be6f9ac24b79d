/** The files of the demo's tools. */
import { readFile } from 'node:fs/promises';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { inProject } from '../project-root.ts';
import { type BuiltPerson, idOf } from './builders.ts';
import { addStoredFile, type StoredFile } from './stored-files.ts';

export const BREAK_EVEN_SECONDS = 20;

/** `tests/fixtures/demo-video/make-video.ts` draws the video from these. */
export const BREAK_EVEN_CAPTIONS = `WEBVTT

00:00.000 --> 00:04.000
A loaf sells for $6.
Flour and the bag cost $2.

00:04.000 --> 00:08.000
So each loaf leaves $4
for rent and wages.

00:08.000 --> 00:12.000
Rent and wages are $4,800 a month,
however many loaves you sell.

00:12.000 --> 00:16.000
$4,800 divided by $4
is 1,200 loaves.

00:16.000 --> 00:20.000
From loaf 1,201 on,
you earn money.`;

const LIST = `Question,Your answer
What does one cost to make?,
What do you sell it for?,
What do you pay each month whatever you sell?,
`;

interface DemoFile extends StoredFile {
  id: string;
  item: string;
  name: string;
  size: number;
  seconds: number | null;
}

const videoFile = () => readFile(inProject('src/backend/local/demo/break-even.webm'));
const posterFile = () => readFile(inProject('src/backend/local/demo/break-even.webp'));
const listBytes = new TextEncoder().encode(LIST);

/** The tool that they belong to. */
export const BREAK_EVEN_VIDEO = idOf('tool/break-even-in-20-seconds');

/** The files with the sizes that they have. */
export async function demoToolFiles(): Promise<{
  list: DemoFile;
  video: DemoFile;
  poster: DemoFile;
}> {
  const item = BREAK_EVEN_VIDEO;
  const placeOf = (words: string) => ({ id: idOf(words), item, path: `${item}/${idOf(words)}` });
  return {
    list: {
      ...placeOf('tool-file/break-even-list'),
      bucket: 'tool-files',
      name: 'Three questions.csv',
      type: 'text/csv',
      size: listBytes.length,
      seconds: null,
      read: async () => listBytes,
    },
    video: {
      ...placeOf('tool-file/break-even-video'),
      bucket: 'tool-videos',
      name: 'Break-even in 20 seconds.webm',
      type: 'video/webm',
      size: (await videoFile()).length,
      seconds: BREAK_EVEN_SECONDS,
      read: videoFile,
    },
    poster: {
      ...placeOf('tool-file/break-even-poster'),
      bucket: 'tool-files',
      name: 'Break-even in 20 seconds.webp',
      type: 'image/webp',
      size: (await posterFile()).length,
      seconds: null,
      read: posterFile,
    },
  };
}

/** Adds the rows of the files, as if an admin had uploaded them. */
export async function addToolFiles(db: Database, admin: BuiltPerson): Promise<void> {
  for (const file of Object.values(await demoToolFiles())) {
    const { id, item, bucket, name, type, size, seconds } = file;
    await query(db)`
      insert into public.tool_files (id, item_id, bucket, name, type, size, seconds, state, uploaded_by)
      values (${id}, ${item}, ${bucket}, ${name}, ${type}, ${size}, ${seconds}, 'stored', ${admin.id})`;
    await addStoredFile(db, file, size, admin);
  }
}
