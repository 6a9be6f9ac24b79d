import type { APIRoute } from 'astro';
import {
  getToolFile,
  getToolFileLink,
  readToolFile,
  type StoredToolFile,
} from '#data/tool-files.ts';
import { type ByteRange, byteRange, contentRange } from '#domain/byte-range.ts';
import { publicConfig } from '#lib/app-config.ts';
import { AppError } from '#lib/app-error.ts';
import { answerFile, FILE_HEADERS } from '#lib/files/file-answers.ts';

export const prerender = false;

/** The most bytes of a video that one response has; players ask for the next ones. */
const MOST_BYTES = 1024 * 1024;

/**
 * Serves a file of a tool to everyone who may read it. A video is sent in the parts that a player asks
 * for, through here, because links to the storage end within a minute. Anything else is downloaded by
 * such a link, or shown with `?show`.
 */
export const GET: APIRoute = ({ params, url, request, locals: { db } }) =>
  answerFile(async () => {
    const file = await getToolFile(db, params.id ?? '');
    const part = byteRange(request.headers.get('range'), file.size);
    if (file.type.startsWith('video/') && part !== null) {
      return answerPart(file, part, (first, last) => readToolFile(db, file, first, last));
    }
    const use = url.searchParams.has('show') ? 'show' : 'download';
    const { pathname, search } = new URL(await getToolFileLink(db, file, use));
    const link = new URL(pathname + search, publicConfig(url).supabaseUrl);
    return new Response(null, { status: 302, headers: { ...FILE_HEADERS, Location: link.href } });
  });

async function answerPart(
  { type, size }: StoredToolFile,
  asked: ByteRange | 'outside',
  read: (first: number, last: number) => Promise<Blob>,
): Promise<Response> {
  if (asked === 'outside') {
    const headers = { ...FILE_HEADERS, 'Content-Range': contentRange(asked, size) };
    return new Response(null, { status: 416, headers });
  }
  const { first } = asked;
  const last = Math.min(asked.last, first + MOST_BYTES - 1);
  const body = await read(first, last);
  if (body.size !== last - first + 1) throw new AppError('unexpected');
  return new Response(body, {
    status: 206,
    headers: {
      ...FILE_HEADERS,
      'Content-Type': type,
      'Content-Range': contentRange({ first, last }, size),
      'Content-Length': String(body.size),
      'Accept-Ranges': 'bytes',
    },
  });
}
