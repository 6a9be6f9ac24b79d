/** What a tool of `content/toolbox` can be downloaded as. */
import type { ToolFileKind } from '#domain/tool.ts';
import type { OFFICE_TYPES } from '#lib/files/office-types.ts';
import { toolPlace } from './publishing.ts';
import { site } from './site.ts';

const KINDS: Record<
  ToolFileKind,
  { extension: keyof typeof OFFICE_TYPES; name: string; link: string; use: string }
> = {
  spreadsheet: {
    extension: 'xlsx',
    name: 'Spreadsheet',
    link: 'Download as a spreadsheet',
    use: 'with formulas and the example, for Excel, Google Sheets or LibreOffice',
  },
  document: {
    extension: 'docx',
    name: 'Document',
    link: 'Download as a document',
    use: 'to write in, for Word, Google Docs or LibreOffice',
  },
};

export interface ToolDownload {
  kind: ToolFileKind;
  href: string;
  /** What the file is called once it's downloaded. */
  file: string;
  /** "Spreadsheet". */
  name: string;
  /** "Download as a spreadsheet". */
  link: string;
  /** What it's like, after its name. */
  use: string;
}

/** A tool's files, in the order they're offered. */
export const toolDownloads = (tool: {
  slug: string;
  files: readonly ToolFileKind[];
}): ToolDownload[] =>
  tool.files.map((kind) => {
    const { extension, ...words } = KINDS[kind];
    return {
      kind,
      href: `${toolPlace(tool.slug).path}.${extension}`,
      file: `${site.slug}-${tool.slug}.${extension}`,
      ...words,
    };
  });
