/**
 * Renders Markdown from the database as React elements, never as HTML: tags show up as plain text.
 * Links can only open web pages, email addresses and phone numbers. Classes align the columns,
 * because the content security policy blocks inline styles.
 */
import { type MarkedToken, marked, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { isHyphenated, unbroken } from '#lib/content/unbroken.ts';
import {
  type Column,
  isSheet,
  isToFillIn,
  stackedLabel,
  stackedLook,
} from '#lib/content/wide-table.ts';

/** Headings start at h2: the page has its own h1. */
const HEADINGS = ['h2', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;
const SAFE = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#92': '\\',
  nbsp: '\u00a0',
};

/** @param text with tables and task lists (GitHub Flavored Markdown) */
export function Markdown({ text }: { text: string }) {
  return <div className="prose">{all(marked.lexer(text))}</div>;
}

// Two paragraphs may be equal, so their index is the only key; the order never changes.
const all = (tokens: readonly Token[] | undefined): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  tokens?.map((token, index) => <Fragment key={index}>{one(token as MarkedToken)}</Fragment>);

function one(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'heading': {
      const Heading = HEADINGS[token.depth - 1] ?? 'h6';
      return <Heading>{all(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{all(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote>{all(token.tokens)}</blockquote>;
    case 'list':
      return <List list={token} />;
    case 'table':
      return <Table table={token} />;
    case 'hr':
      return <hr />;
    case 'code':
      return (
        <pre className="overflow-x-auto rounded-control bg-raised p-4 text-sm whitespace-pre-wrap">
          {token.text}
        </pre>
      );
    case 'strong':
      return <strong className={keptWhole(token.text)}>{all(token.tokens)}</strong>;
    case 'em':
      return <em>{all(token.tokens)}</em>;
    case 'del':
      return <del>{all(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link link={token} />;
    case 'image':
      return plain(token.text);
    case 'text':
      return token.tokens ? all(token.tokens) : plain(token.text);
    case 'html':
    case 'escape':
      return token.text;
    default:
      // Whitespace and definitions render nothing, and the list draws the checkboxes.
      return null;
  }
}

function Link({ link }: { link: Tokens.Link }) {
  const words = all(link.tokens);
  return isSafe(link.href) ? <a href={link.href}>{words}</a> : words;
}

/** Whether a link may open this URL, resolved the way a browser resolves it. */
function isSafe(href: string): boolean {
  try {
    return SAFE.has(new URL(href, 'https://this.site').protocol);
  } catch {
    return false;
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that an item has
    <li key={index} className={item.task ? 'flex gap-3' : undefined}>
      {item.task && <Box />}
      {item.task ? <div>{all(item.tokens)}</div> : all(item.tokens)}
    </li>
  ));
  if (list.ordered) return <ol start={list.start === '' ? undefined : list.start}>{items}</ol>;
  const tasks = list.items.some(({ task }) => task);
  return <ul className={tasks ? 'flex list-none flex-col gap-2' : undefined}>{items}</ul>;
}

/** An empty checkbox, to check with a pen once it's printed. */
const Box = () => (
  <svg
    viewBox="0 0 16 16"
    className="mt-1 size-4 shrink-0 stroke-edge"
    fill="none"
    aria-hidden="true"
  >
    <rect x="1" y="1" width="14" height="14" rx="3" strokeWidth="1.5" />
  </svg>
);

/** A figure stays on one line; its heading wraps. */
const ALIGNED = { right: 'text-right! whitespace-nowrap', center: 'text-center!', left: undefined };
const ALIGNED_HEAD = { ...ALIGNED, right: 'text-right!' };
const ALIGNED_STACKED = { ...ALIGNED, right: 'sm:text-right! whitespace-nowrap' };

function alignment({ align, text }: Tokens.TableCell, stacked: boolean): string | undefined {
  if (align) return (stacked ? ALIGNED_STACKED : ALIGNED)[align];
  return keptWhole(text);
}

/** A phone number or another short word with a hyphen isn't cut at it. */
const keptWhole = (text: string) => (isHyphenated(text) ? 'whitespace-nowrap' : undefined);

const columnsOf = ({ header, rows }: Tokens.Table): Column[] =>
  header.map(({ align, text }, column) => ({
    heading: plain(text),
    cells: rows.map((row) => row[column]?.text.trim() ?? ''),
    isFigures: align === 'right',
  }));

/** What's in a cell: a date or a number with its unit isn't cut at the end of a line. */
const cellOf = (tokens: readonly Token[]): ReactNode => all(tokens.map(kept));

function kept(token: Token): Token {
  if ('tokens' in token && token.tokens) return { ...token, tokens: token.tokens.map(kept) };
  return token.type === 'text' ? { ...token, text: unbroken(token.text) } : token;
}

/**
 * A table in a frame that scrolls if it has to, which keyboard users can focus. On a phone, the rows
 * of a wide one are stacked: each cell is below the one before, with its heading.
 */
function Table({ table }: { table: Tokens.Table }) {
  const columns = columnsOf(table);
  const look = stackedLook(columns);
  const stacked = look !== undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      className="overflow-x-auto print:overflow-visible"
      role="group"
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable without a mouse
      tabIndex={0}
    >
      <table className={look}>
        <thead>
          <tr>
            {table.header.map((cell, column) =>
              headCell(cell, column, isToFillIn(columns, column)),
            )}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a row has
            <tr key={index}>
              {row.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same
                  key={column}
                  className={alignment(cell, stacked)}
                  data-label={(stacked && stackedLabel(columns, column, cell.text)) || undefined}
                >
                  {stacked && cell.text !== '' ? (
                    <span>{cellOf(cell.tokens)}</span>
                  ) : stacked && index === 0 && isSheet(columns) ? (
                    '\u00a0'
                  ) : (
                    cellOf(cell.tokens)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Renders a header cell without text as an ordinary cell; one to fill in has room to write. */
const headCell = (cell: Tokens.TableCell, column: number, toFillIn: boolean) =>
  cell.text.trim() === '' ? (
    <td key={column} />
  ) : (
    <th
      key={column}
      scope="col"
      className={cell.align ? ALIGNED_HEAD[cell.align] : toFillIn ? 'w-2/5' : undefined}
    >
      {all(cell.tokens)}
    </th>
  );

/** Decodes the common HTML entities, which the lexer leaves as they are. */
function plain(text: string): string {
  return text.replace(/&(#\d\d|[a-z]+);/g, (written, name: string) => ENTITIES[name] ?? written);
}
