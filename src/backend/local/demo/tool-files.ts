/** The files of the demo's tools: their rows come with the demo, their contents with each start. */
import { readFile } from 'node:fs/promises';
import {
  connect,
  type Database,
  query,
  queryOne,
} from '#backend/supabase/functions/_shared/connection.ts';
import { createStorageFolder } from '../storage/folder.ts';
import { type BuiltPerson, idOf } from './builders.ts';

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

interface DemoFile {
  id: string;
  item: string;
  bucket: string;
  name: string;
  type: string;
  size: number;
  seconds: number | null;
  read: () => Promise<Uint8Array>;
}

const videoFile = () => readFile(new URL('./break-even.webm', import.meta.url));
const listBytes = new TextEncoder().encode(LIST);

/** The tool that they belong to. */
export const BREAK_EVEN_VIDEO = idOf('tool/break-even-in-20-seconds');

/** The files with the sizes that they have. */
export async function demoToolFiles(): Promise<{ list: DemoFile; video: DemoFile }> {
  const item = BREAK_EVEN_VIDEO;
  return {
    list: {
      id: idOf('tool-file/break-even-list'),
      item,
      bucket: 'tool-files',
      name: 'Three questions.csv',
      type: 'text/csv',
      size: listBytes.length,
      seconds: null,
      read: async () => listBytes,
    },
    video: {
      id: idOf('tool-file/break-even-video'),
      item,
      bucket: 'tool-videos',
      name: 'Break-even in 20 seconds.webm',
      type: 'video/webm',
      size: (await videoFile()).length,
      seconds: BREAK_EVEN_SECONDS,
      read: videoFile,
    },
  };
}

const pathOf = ({ item, id }: DemoFile) => `${item}/${id}`;

/** Adds the rows of the files, as if an admin had uploaded them. */
export async function addToolFiles(db: Database, admin: BuiltPerson): Promise<void> {
  for (const file of Object.values(await demoToolFiles())) {
    const { id, item, bucket, name, type, size, seconds } = file;
    await query(db)`
      insert into public.tool_files (id, item_id, bucket, name, type, size, seconds, state, uploaded_by)
      values (${id}, ${item}, ${bucket}, ${name}, ${type}, ${size}, ${seconds}, 'stored', ${admin.id})`;
    await query(db)`
      insert into storage.objects (bucket_id, name, owner, metadata)
      values (
        ${bucket}, ${pathOf(file)}, ${admin.id},
        jsonb_build_object('size', ${size}::int, 'mimetype', ${type}::text)
      )`;
  }
}

/**
 * Stores the contents of the files that the database knows and the folder doesn't have.
 * @param folder where the storage service keeps files
 */
export async function storeToolFiles(databaseUrl: string, folder: string): Promise<void> {
  const storage = createStorageFolder(folder, async () => false);
  const db = connect(databaseUrl, { max: 1 });
  try {
    for (const file of Object.values(await demoToolFiles())) {
      const [bucket, path] = [file.bucket, pathOf(file)];
      const known = await queryOne<{ found: boolean }>(db)`
        select exists (
          select from storage.objects where bucket_id = ${bucket} and name = ${path}
        ) as found`;
      if (!known?.found) continue;
      const isThere = await storage.headObject(bucket, path).then(
        () => true,
        () => false,
      );
      if (isThere) continue;
      await storage.uploadObject(bucket, path, undefined, await file.read(), file.type, 'no-cache');
    }
  } finally {
    await db.destroy();
  }
}
