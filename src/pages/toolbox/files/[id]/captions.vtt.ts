import type { APIRoute } from 'astro';
import { getToolCaptions } from '#data/tool-files.ts';
import { answerFile, FILE_HEADERS } from '#lib/files/file-answers.ts';

export const prerender = false;

/** Serves the captions of a tool's video to everyone who may see it. */
export const GET: APIRoute = ({ params, locals: { db } }) =>
  answerFile(async () => {
    const captions = await getToolCaptions(db, params.id ?? '');
    return new Response(captions, {
      headers: { ...FILE_HEADERS, 'Content-Type': 'text/vtt; charset=utf-8' },
    });
  });
