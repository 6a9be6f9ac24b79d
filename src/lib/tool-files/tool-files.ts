/** The files of the tools in `content/toolbox`, written by the build. */
import type { CollectionEntry } from 'astro:content';
import type { ToolFileKind } from '#domain/tool.ts';
import { bodyOf } from '#lib/content/entry-body.ts';
import { toolPlace } from '#lib/content/publishing.ts';
import { site } from '#lib/content/site.ts';
import { spreadsheets } from './spreadsheets.ts';
import { toolDocument } from './tool-document.ts';
import { toolWorkbook } from './tool-workbook.ts';

type Tool = CollectionEntry<'toolbox'>;

/** Pages say how large a file is, so each is written once and kept. */
const written = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

async function write(tool: Tool, kind: ToolFileKind) {
  const { data } = tool;
  const { title, summary, version, slug, forms } = data;
  const address = `${site.url}${toolPlace(slug).path}`;
  const body = await bodyOf(tool);
  const words = { title, summary, address, version, body, ...(forms && { forms }) };
  const about = {
    title,
    author: site.organisation,
    description: `${summary} From ${address}, version ${version}.`,
  };
  if (kind === 'document') return toolDocument(words, about);
  const parts = spreadsheets.get(slug);
  if (!parts)
    throw new Error('It has no sheets in src/lib/tool-files, so it can’t be a spreadsheet.');
  return toolWorkbook(parts, words, about);
}

/**
 * A tool's file.
 * @throws an error that fails the build and says which tool, if its text and its sheets don't agree
 */
export function toolFile(tool: Tool, kind: ToolFileKind): Promise<Uint8Array<ArrayBuffer>> {
  const { slug, version } = tool.data;
  const key = `${slug} ${version} ${kind} ${tool.digest}`;
  const known = written.get(key);
  if (known) return known;
  const file = write(tool, kind).catch((error: Error) => {
    throw new Error(`content/toolbox/${slug}.md as a ${kind}: ${error.message}`, { cause: error });
  });
  written.set(key, file);
  return file;
}

/** Sheets that belong to no tool, or to one that isn't offered as a spreadsheet. Empty if all are used. */
export function unusedSheets(tools: readonly Tool[]): string[] {
  const offered = new Set(
    tools.filter(({ data }) => data.files.includes('spreadsheet')).map(({ data }) => data.slug),
  );
  return [...spreadsheets.keys()].filter((slug) => !offered.has(slug));
}
