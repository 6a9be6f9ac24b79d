import { type CollectionEntry, getCollection } from 'astro:content';
import type { APIRoute } from 'astro';
import { SPREADSHEET_TYPE } from '#lib/files/spreadsheet.ts';
import { toolFile, unusedSheets } from '#lib/tool-files/tool-files.ts';

export async function getStaticPaths() {
  const tools = await getCollection('toolbox');
  const unused = unusedSheets(tools);
  if (unused.length > 0) throw new Error(`Sheets without a tool: ${unused.join(', ')}.`);
  return tools
    .filter(({ data }) => data.files.includes('spreadsheet'))
    .map((tool) => ({ params: { slug: tool.data.slug }, props: { tool } }));
}

/** A tool as a spreadsheet: one sheet to fill in, one with the example of its text. */
export const GET: APIRoute<{ tool: CollectionEntry<'toolbox'> }> = async ({ props }) =>
  new Response(await toolFile(props.tool, 'spreadsheet'), {
    headers: { 'content-type': SPREADSHEET_TYPE },
  });
