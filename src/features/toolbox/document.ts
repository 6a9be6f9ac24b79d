/**
 * Splits a copy into blocks to fill in: table cells, checkboxes, and Markdown for the rest. A copy
 * is stored as Markdown, so the code that displays and prints tools works for it too.
 */
import { marked, type Tokens } from 'marked';

export type Block =
  | { kind: 'heading'; depth: number; text: string }
  | { kind: 'tasks'; items: Task[] }
  | { kind: 'table'; header: string[]; align: Align[]; rows: string[][] }
  /** Paragraphs, lists and quotations, as unparsed Markdown. */
  | { kind: 'text'; markdown: string };

export interface Task {
  done: boolean;
  text: string;
}

type Align = 'left' | 'center' | 'right' | null;

/**
 * Returns the items of a list if each has a checkbox, otherwise null. Reads line by line, so what
 * users type next to a checkbox isn't parsed as Markdown.
 */
function tasksOf(raw: string): Task[] | null {
  const items: Task[] = [];
  for (const each of raw.trimEnd().split('\n')) {
    const [, mark, text = ''] = /^[-*] \[([ xX])\](?: (.*))?$/.exec(each) ?? [];
    const last = items.at(-1);
    if (mark !== undefined) items.push({ done: mark !== ' ', text: unwritten(text) });
    else if (last && /^\s+(?![-*\d])\S/.test(each)) last.text = oneLine(`${last.text} ${each}`);
    else if (each.trim() !== '') return null;
  }
  return items;
}

/** Splits a row of Markdown into its cells. Inside a cell, `|` is escaped. */
const cellsOf = (raw: string) =>
  raw
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => unwritten(cell.replaceAll('\\|', '|')));

const EMPTY = '&nbsp;';
const BACKSLASH = '&#92;';
const unwritten = (text: string) => {
  const read = oneLine(text.replaceAll(BACKSLASH, '\\'));
  return read === EMPTY ? '' : read;
};

/** @param markdown with tables and task lists (GitHub Flavored Markdown) */
export function blocksOf(markdown: string): Block[] {
  return marked.lexer(markdown).flatMap((token): Block[] => {
    switch (token.type) {
      case 'space':
        return [];
      case 'heading': {
        const { depth, text } = token as Tokens.Heading;
        return text.trim() === '' ? [] : [{ kind: 'heading', depth, text: oneLine(text) }];
      }
      case 'list': {
        const items = tasksOf(token.raw);
        if (!items || items.length === 0) break;
        return [{ kind: 'tasks', items }];
      }
      case 'table': {
        const { align, raw } = token as Tokens.Table;
        const [header = [], , ...rows] = raw.trim().split('\n').map(cellsOf);
        const fitted = (cells: string[]) => header.map((_, column) => cells[column] ?? '');
        return [{ kind: 'table', align: [...align], header, rows: rows.map(fitted) }];
      }
    }
    const text = token.raw.trim();
    return text === '' ? [] : [{ kind: 'text', markdown: text }];
  });
}

/** Writes blocks as Markdown, which `blocksOf` parses back into the same blocks. */
export function markdownOf(blocks: readonly Block[]): string {
  return blocks.map(written).filter(Boolean).join('\n\n');
}

function written(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return block.text.trim() === '' ? '' : `${'#'.repeat(block.depth)} ${oneLine(block.text)}`;
    case 'tasks':
      return block.items
        .map(({ done, text }) => `- [${done ? 'x' : ' '}] ${oneLine(text) || EMPTY}`)
        .join('\n');
    case 'table':
      return [
        row(block.header),
        `| ${block.align.map((each) => RULES[each ?? 'left']).join(' | ')} |`,
        ...block.rows.map((cells) => row(block.header.map((_, column) => cells[column] ?? ''))),
      ].join('\n');
    case 'text':
      return block.markdown.trim();
  }
}

const RULES = { left: '---', center: ':-:', right: '--:' } as const;

/** Writes a row. Parsers don't take an empty row for one, so its first cell becomes `&nbsp;`. */
function row(cells: readonly string[]): string {
  const written = cells.map(cellText);
  const isEmpty = written.every((cell) => cell === '');
  return `| ${(isEmpty ? [EMPTY, ...written.slice(1)] : written).join(' | ')} |`;
}

/** Escapes `|`, which ends a cell, and encodes backslashes that would cancel that escape. */
const cellText = (cell: string) =>
  oneLine(cell)
    .replace(/\\+(?=\|)|\\+$/g, (run) => BACKSLASH.repeat(run.length))
    .replaceAll('|', '\\|');

/** Collapses whitespace, line breaks included, and trims the text. */
export const oneLine = (text: string) => text.replace(/[\s\u00a0]+/g, ' ').trim();
