/**
 * What a tool of `content/toolbox` can be downloaded as, for pages rendered on demand. Not from its
 * collection: Astro would load all of `content/` for it, and keep what such a page renders (125).
 */
import * as v from 'valibot';
import { parse } from 'yaml';
import { splitFrontMatter } from '#domain/front-matter.ts';
import { TOOL_FILES, type ToolFileKind } from '#domain/tool.ts';

const FOLDER = '../../../content/toolbox';
/** One small chunk of the server's code for each tool. */
const tools = import.meta.glob<string>('../../../content/toolbox/*.md', {
  query: '?raw',
  import: 'default',
});
/** The build has checked the rest, with `toolboxSchema`. */
const fields = v.object({ files: v.optional(v.array(v.picklist(TOOL_FILES)), []) });

/** The kinds of files of a tool, in the order they're offered; none if `content/` hasn't the tool. */
export async function toolFileKinds(slug: string): Promise<ToolFileKind[]> {
  const text = await tools[`${FOLDER}/${slug}.md`]?.();
  if (text === undefined) return [];
  return v.parse(fields, parse(splitFrontMatter(text)?.yaml ?? '')).files;
}
