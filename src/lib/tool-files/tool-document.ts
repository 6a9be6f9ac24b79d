/**
 * A tool's text as a Word document (.docx) to fill in: real headings, tables with room to write, and lists
 * with boxes to check. Made from the same Markdown as its page.
 */
import {
  AlignmentType,
  BorderStyle,
  CheckBox,
  Document,
  ExternalHyperlink,
  Footer,
  HeadingLevel,
  HeightRule,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TabStopType,
  TextRun,
  WidthType,
} from 'docx';
import { marked, type Token, type Tokens } from 'marked';
import type { FileAbout } from '#lib/files/spreadsheet.ts';

/** What the document says about the tool, besides its text. */
export interface DocumentWords {
  title: string;
  summary: string;
  /** Its public page. */
  address: string;
  version: number;
  /** Its text in Markdown. */
  body: string;
  /** Tables to fill in on the last page. */
  forms?: readonly DocumentForm[];
}

/** A table of the text to fill in, with some of its columns' words or with empty rows. */
export interface DocumentForm {
  /** What a cell of the table says that no table before it does. */
  table: string;
  /** How many columns keep their words. */
  keep?: number | undefined;
  /** The columns to write in. Without them, the text's own. */
  add?: readonly string[] | undefined;
  /** How many empty rows, if no column keeps its words. */
  rows?: number | undefined;
}

// Sizes in twentieths of a point, as Word has them: US Letter with margins of 0.8 inches.
const PAGE = { width: 12_240, height: 15_840, margin: 1_152 };
const TEXT_WIDTH = PAGE.width - 2 * PAGE.margin;
/** The height of a row to write in, in the text and on the last page. */
const ROOM = { text: 460, form: 640 };
const INDENT = 360;

const GREEN = '1F5C3D';
const INK = '22352B';
const GRAY = '55655B';
const LINE = { style: BorderStyle.SINGLE, size: 4, color: 'B9C7BD' };
const LISTS = { dots: 'dots', numbers: 'numbers' };

interface Style {
  bold?: boolean;
  italics?: boolean;
}

interface Writer {
  /** Makes the links of this site complete. */
  site: string;
  /** Each numbered list starts at 1 again. */
  numbered: number;
}

const unescaped = (text: string) =>
  text
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'");

/** Text with its emphasis and links. */
function inline(tokens: readonly Token[], writer: Writer, style: Style = {}): ParagraphChild[] {
  return tokens.flatMap((token): ParagraphChild[] => {
    const inner = 'tokens' in token && token.tokens ? token.tokens : [];
    switch (token.type) {
      case 'strong':
        return inline(inner, writer, { ...style, bold: true });
      case 'em':
        return inline(inner, writer, { ...style, italics: true });
      case 'link': {
        const { href } = token as Tokens.Link;
        const link = new URL(href, writer.site).href;
        const text = unescaped((token as Tokens.Link).text);
        return [
          new ExternalHyperlink({
            link,
            children: [new TextRun({ text, style: 'Hyperlink', ...style })],
          }),
        ];
      }
      case 'br':
        return [new TextRun({ break: 1 })];
      case 'text':
        if (inner.length > 0) return inline(inner, writer, style);
        break;
      case 'checkbox':
        return [];
    }
    const text = 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
    return [new TextRun({ text: unescaped(text).replaceAll('\n', ' '), ...style })];
  });
}

/** The columns' widths: as long as their words, but none too narrow for one. */
function columnWidths({ header, rows }: Tokens.Table, empty: number): number[] {
  const wanted = header.map((head, column) => {
    const cells = [head, ...rows.map((row) => row[column])].map((cell) => cell?.text ?? '');
    const longestWord = Math.max(
      ...cells.flatMap((text) => text.split(/\s+/)).map((word) => word.length),
    );
    const longest = Math.max(...cells.map((text) => text.length));
    const isEmpty = rows.every((row) => row[column]?.text === '');
    return Math.max(longestWord + 3, Math.min(longest, 48), isEmpty ? empty : 7);
  });
  const all = wanted.reduce((total, each) => total + each, 0);
  return wanted.map((each) => Math.floor((each / all) * TEXT_WIDTH));
}

const ALIGNED = {
  left: AlignmentType.LEFT,
  right: AlignmentType.RIGHT,
  center: AlignmentType.CENTER,
};

/** The least width of a column to write in, in characters. */
const NARROW = 7;
const WIDE = 36;

function table(token: Tokens.Table, writer: Writer, empty = NARROW): (Table | Paragraph)[] {
  const widths = columnWidths(token, empty);
  const cell = (from: Tokens.TableCell, column: number, isHead: boolean) =>
    new TableCell({
      width: { size: widths[column] ?? 0, type: WidthType.DXA },
      margins: { top: 60, bottom: 60, left: 100, right: 100 },
      ...(isHead && { shading: { type: ShadingType.CLEAR, color: 'auto', fill: 'E4EFE6' } }),
      children: [
        new Paragraph({
          spacing: { after: 0 },
          alignment: ALIGNED[from.align ?? 'left'],
          children: inline(from.tokens, writer, isHead ? { bold: true } : {}),
        }),
      ],
    });
  const row = (cells: readonly Tokens.TableCell[], isHead: boolean) => {
    const isToFillIn = !isHead && cells.some(({ text }) => text.trim() === '');
    return new TableRow({
      tableHeader: isHead,
      cantSplit: true,
      ...(isToFillIn && {
        height: { value: empty === WIDE ? ROOM.form : ROOM.text, rule: HeightRule.ATLEAST },
      }),
      children: cells.map((each, column) => cell(each, column, isHead)),
    });
  };
  const hasHead = token.header.some(({ text }) => text.trim() !== '');
  return [
    new Table({
      width: { size: TEXT_WIDTH, type: WidthType.DXA },
      columnWidths: widths,
      layout: TableLayoutType.FIXED,
      borders: {
        top: LINE,
        bottom: LINE,
        left: LINE,
        right: LINE,
        insideHorizontal: LINE,
        insideVertical: LINE,
      },
      rows: [
        ...(hasHead ? [row(token.header, true)] : []),
        ...token.rows.map((cells) => row(cells, false)),
      ],
    }),
    new Paragraph({ spacing: { after: 120 } }),
  ];
}

function list(token: Tokens.List, writer: Writer, level: number): (Paragraph | Table)[] {
  const instance = token.ordered ? ++writer.numbered : 0;
  return token.items.flatMap((item) => {
    const [first, ...others] = item.tokens.filter(({ type }) => type !== 'checkbox');
    const words = first && 'tokens' in first && first.tokens ? inline(first.tokens, writer) : [];
    const paragraph = item.task
      ? new Paragraph({
          indent: { left: INDENT * (level + 1), hanging: INDENT },
          spacing: { after: 100 },
          tabStops: [{ type: TabStopType.LEFT, position: INDENT * (level + 1) }],
          children: [
            new CheckBox({ checked: item.checked === true, alias: 'Done' }),
            new TextRun({ text: '\t' }),
            ...words,
          ],
        })
      : new Paragraph({
          numbering: { reference: token.ordered ? LISTS.numbers : LISTS.dots, level, instance },
          spacing: { after: 80 },
          children: words,
        });
    return [paragraph, ...blocks(others, writer, level + 1)];
  });
}

/** Words to say or to send: set in, with a line on their left. */
function quotation(token: Tokens.Blockquote, writer: Writer): Paragraph[] {
  return token.tokens.flatMap((each) =>
    each.type === 'paragraph' && 'tokens' in each && each.tokens
      ? [
          new Paragraph({
            indent: { left: 300, right: 300 },
            border: { left: { style: BorderStyle.SINGLE, size: 18, color: '9DB8A6', space: 10 } },
            children: inline(each.tokens, writer),
          }),
        ]
      : [],
  );
}

/** The headings below the title: ## is the first level. */
const LEVELS = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3];

function blocks(tokens: readonly Token[], writer: Writer, level = 0): (Paragraph | Table)[] {
  return tokens.flatMap((token): (Paragraph | Table)[] => {
    switch (token.type) {
      case 'space':
        return [];
      case 'heading': {
        const { depth, tokens: words } = token as Tokens.Heading;
        const heading = LEVELS[Math.min(Math.max(depth - 2, 0), 2)] ?? HeadingLevel.HEADING_1;
        return [new Paragraph({ heading, keepNext: true, children: inline(words, writer) })];
      }
      case 'paragraph':
      case 'text':
        return [
          new Paragraph({
            ...(level > 0 && { indent: { left: INDENT * level } }),
            children: inline('tokens' in token && token.tokens ? token.tokens : [token], writer),
          }),
        ];
      case 'list':
        return list(token as Tokens.List, writer, level);
      case 'table':
        return table(token as Tokens.Table, writer);
      case 'blockquote':
        return quotation(token as Tokens.Blockquote, writer);
    }
    throw new Error(`A document has no place for “${token.type}”: ${token.raw.slice(0, 60)}`);
  });
}

const EMPTY: Tokens.TableCell = { text: '', tokens: [], header: false, align: null };

/** The tables to fill in, made from those of the text, on a page of their own. */
function formPages(forms: readonly DocumentForm[], tokens: readonly Token[], writer: Writer) {
  const tables = tokens.filter((token): token is Tokens.Table => token.type === 'table');
  const filled = forms.flatMap(({ table: words, keep = 0, add, rows = 0 }) => {
    const found = tables.find(({ header, rows: cells }) =>
      [header, ...cells].some((row) => row.some(({ text }) => text === words)),
    );
    if (!found) throw new Error(`No table of the text has a cell that says “${words}”.`);
    const added = (add ?? found.header.slice(keep).map(({ text }) => text)).map(
      (text): Tokens.TableCell => ({ ...EMPTY, text, tokens: marked.Lexer.lexInline(text) }),
    );
    const kept = (cells: readonly Tokens.TableCell[]) => cells.slice(0, keep);
    return table(
      {
        ...found,
        header: [...kept(found.header), ...added],
        rows:
          keep > 0
            ? found.rows.map((cells) => [...kept(cells), ...added.map(() => EMPTY)])
            : Array.from({ length: rows }, () => added.map(() => EMPTY)),
      },
      writer,
      WIDE,
    );
  });
  if (filled.length === 0) return [];
  const title = new Paragraph({
    heading: HeadingLevel.HEADING_1,
    pageBreakBefore: true,
    children: [new TextRun('Yours')],
  });
  return [title, ...filled];
}

const bullets = (
  format: (typeof LevelFormat)[keyof typeof LevelFormat],
  text: (level: number) => string,
) =>
  [0, 1, 2].map((level) => ({
    level,
    format,
    text: text(level),
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT } } },
  }));

const heading = (size: number, before: number) => ({
  run: { font: 'Georgia', size, color: GREEN, bold: true },
  paragraph: { spacing: { before, after: 120 }, keepNext: true },
});

/**
 * The tool's document as a file.
 * @throws an error if the text has Markdown that a document has no place for, such as HTML
 */
export async function toolDocument(
  tool: DocumentWords,
  about: FileAbout,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer: Writer = { site: new URL(tool.address).origin, numbered: 0 };
  const tokens = marked.lexer(tool.body);
  const small = { size: 18, color: GRAY };
  const document = new Document({
    title: about.title,
    creator: about.author,
    lastModifiedBy: about.author,
    description: about.description ?? '',
    styles: {
      default: {
        document: {
          run: { font: 'Calibri', size: 22, color: INK, language: { value: 'en-US' } },
          paragraph: { spacing: { after: 140, line: 271 } },
        },
        title: {
          run: { font: 'Georgia', size: 44, bold: true, color: GREEN },
          paragraph: { spacing: { after: 120 } },
        },
        heading1: heading(28, 320),
        heading2: heading(24, 240),
        heading3: heading(22, 200),
        hyperlink: { run: { color: GREEN, underline: {} } },
      },
    },
    numbering: {
      config: [
        { reference: LISTS.dots, levels: bullets(LevelFormat.BULLET, () => '•') },
        {
          reference: LISTS.numbers,
          levels: bullets(LevelFormat.DECIMAL, (level) => `%${level + 1}.`),
        },
      ],
    },
    sections: [
      {
        properties: {
          page: {
            size: { width: PAGE.width, height: PAGE.height },
            margin: {
              top: PAGE.margin,
              bottom: PAGE.margin,
              left: PAGE.margin,
              right: PAGE.margin,
            },
          },
        },
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                tabStops: [{ type: TabStopType.RIGHT, position: TEXT_WIDTH }],
                children: [
                  new TextRun({ text: `From ${tool.address}, version ${tool.version}.`, ...small }),
                  new TextRun({ children: ['\tPage ', PageNumber.CURRENT], ...small }),
                ],
              }),
            ],
          }),
        },
        children: [
          new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(tool.title)] }),
          new Paragraph({
            spacing: { after: 240 },
            children: [new TextRun({ text: tool.summary, size: 24, color: GRAY })],
          }),
          ...blocks(tokens, writer),
          ...formPages(tool.forms ?? [], tokens, writer),
        ],
      },
    ],
  });
  const file = await Packer.toBlob(document);
  return new Uint8Array(await file.arrayBuffer());
}
