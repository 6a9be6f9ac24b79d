import type { APIRoute } from 'astro';
import { getAvatar } from '#data/avatars.ts';
import { toAppError } from '#lib/errors.ts';
import { readImageRequest } from '#lib/files/image-request.ts';
import { resize } from '#lib/files/resize.ts';

export const prerender = false;

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
};

const refused = (status: number, words: string) =>
  new Response(words, {
    status,
    headers: {
      ...HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
    },
  });

/** Serves a resized avatar. Users who may not see it get the same 404 as for a missing one. */
export const GET: APIRoute = async ({ url, locals, request }) => {
  const asked = readImageRequest(url.searchParams);
  if (typeof asked === 'string') return refused(400, asked);
  const bytes = await getAvatar(locals.db, asked.path).catch((thrown: unknown) =>
    toAppError(thrown).kind === 'network' ? undefined : null,
  );
  if (bytes === undefined) return refused(503, 'We can’t load this picture right now.');
  if (bytes === null) return refused(404, 'There’s no picture here.');
  const accept = request.headers.get('accept') ?? '';
  const picture = await resize(bytes, asked.width, asked.quality, accept).catch(() => null);
  if (!picture) return refused(415, 'This isn’t a picture.');
  return new Response(picture.body, {
    headers: {
      ...HEADERS,
      'Content-Type': picture.type,
      // A new picture gets a new path; a browser that lost access drops its copy within the hour.
      'Cache-Control': 'private, max-age=3600',
      Vary: 'Accept, Cookie',
    },
  });
};
