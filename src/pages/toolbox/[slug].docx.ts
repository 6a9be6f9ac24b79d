import { type CollectionEntry, getCollection } from 'astro:content';
import type { APIRoute } from 'astro';
import { OFFICE_TYPES } from '#lib/files/office-types.ts';
import { toolFile } from '#lib/tool-files/tool-files.ts';

export async function getStaticPaths() {
  return (await getCollection('toolbox'))
    .filter(({ data }) => data.files.includes('document'))
    .map((tool) => ({ params: { slug: tool.data.slug }, props: { tool } }));
}

/** A tool as a document to write in. */
export const GET: APIRoute<{ tool: CollectionEntry<'toolbox'> }> = async ({ props }) =>
  new Response(await toolFile(props.tool, 'document'), {
    headers: { 'content-type': OFFICE_TYPES.docx },
  });
