import { type MarkedToken, marked, type Token, type Tokens } from 'marked';
import { Html, html } from './html.ts';

/**
 * Markdown in an email, as HTML that email apps understand and as plain text. Only the elements below
 * become markup: tags show up as they were typed, and links can only open web pages and email
 * addresses. Paths such as /toolbox lead to this site.
 */
export interface ArticleLook {
  siteUrl: string;
  ink: string;
  line: string;
  primary: string;
  textFont: string;
  headingFont: string;
}

const SAFE = new Set(['http:', 'https:', 'mailto:']);
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#92': '\\',
  nbsp: '\u00a0',
};

/** The tokens of a Markdown text. */
export const readArticle = (markdown: string): MarkedToken[] => known(marked.lexer(markdown));

/** The lexer types its tokens as ones that an extension could have added; there are none. */
const known = (tokens: readonly Token[] | undefined): MarkedToken[] =>
  (tokens ?? []).filter((token): token is MarkedToken => token.type in TYPES);

const TYPES: Record<MarkedToken['type'], true> = {
  blockquote: true,
  br: true,
  checkbox: true,
  code: true,
  codespan: true,
  def: true,
  del: true,
  em: true,
  escape: true,
  heading: true,
  hr: true,
  html: true,
  image: true,
  link: true,
  list: true,
  list_item: true,
  paragraph: true,
  space: true,
  strong: true,
  table: true,
  text: true,
};

/** Decodes the common HTML entities, which the lexer leaves as they are. */
const plain = (text: string) =>
  text.replace(/&(#\d\d|[a-z]+);/g, (written, name: string) => ENTITIES[name] ?? written);

/** The full address of a link; null if it isn't one that an email may have. */
function hrefOf({ href }: Tokens.Link, siteUrl: string): string | null {
  const url = URL.parse(href, siteUrl);
  return url && SAFE.has(url.protocol) ? url.href : null;
}

// As HTML ---------------------------------------------------------------------------------------

/** The blocks of an article, or of one of its parts, as HTML. */
export function articleHtml(tokens: readonly MarkedToken[], look: ArticleLook): Html {
  return html`${tokens.map((token) => block(token, look))}`;
}

const textStyle = ({ textFont, ink }: ArticleLook, margin = '0 0 16px') =>
  `margin:${margin};font-family:${textFont};font-size:16px;line-height:1.58;color:${ink};`;

function block(token: MarkedToken, look: ArticleLook): Html {
  switch (token.type) {
    case 'heading':
      return heading(token, look);
    case 'paragraph':
      return html`<p class="ink" style="${textStyle(look)}">${spans(token.tokens, look)}</p>\n`;
    case 'text':
      return html`${token.tokens ? spans(token.tokens, look) : plain(token.text)} `;
    case 'blockquote':
      return html`<blockquote class="card" style="margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid ${look.line};">${articleHtml(known(token.tokens), look)}</blockquote>\n`;
    case 'list':
      return list(token, look);
    case 'table':
      return table(token, look);
    case 'hr':
      return html`<hr class="card" style="margin:24px 0;border:0;border-top:1px solid ${look.line};">\n`;
    case 'code':
      return html`<pre class="code ink" style="margin:0 0 16px;padding:12px 14px;white-space:pre-wrap;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;line-height:1.5;color:${look.ink};border:1px solid ${look.line};border-radius:11px;">${token.text}</pre>\n`;
    case 'html':
      return html`<p class="ink" style="${textStyle(look)}">${token.text.trim()}</p>\n`;
    default:
      return span(token, look);
  }
}

/** Headings start at h2: the email's subject is its h1. */
function heading(token: Tokens.Heading, look: ArticleLook): Html {
  const large = token.depth <= 2;
  const style = `margin:24px 0 8px;font-family:${large ? look.headingFont : look.textFont};font-weight:${large ? 500 : 600};font-size:${large ? 22 : 16}px;line-height:1.3;color:${look.ink};`;
  const words = spans(token.tokens, look);
  return large
    ? html`<h2 class="ink" style="${style}">${words}</h2>\n`
    : html`<h3 class="ink" style="${style}">${words}</h3>\n`;
}

function list(token: Tokens.List, look: ArticleLook): Html {
  const items = token.items.map(
    (item) =>
      html`<li style="margin:0 0 6px;">${item.task ? '☐ ' : null}${articleHtml(known(item.tokens), look)}</li>\n`,
  );
  const style = `${textStyle(look)}padding:0 0 0 24px;`;
  return token.ordered
    ? html`<ol class="ink" start="${token.start || 1}" style="${style}">${items}</ol>\n`
    : html`<ul class="ink" style="${style}">${items}</ul>\n`;
}

function table({ header, rows }: Tokens.Table, look: ArticleLook): Html {
  const style = ({ align }: Tokens.TableCell) =>
    `padding:6px 10px 6px 0;border-bottom:1px solid ${look.line};text-align:${align ?? 'left'};font-family:${look.textFont};font-size:15px;line-height:1.45;color:${look.ink};`;
  const line = (cells: Html[]) => html`<tr>${cells}</tr>\n`;
  return html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse;">
${line(header.map((cell) => html`<th scope="col" class="card ink" style="${style(cell)}">${spans(cell.tokens, look)}</th>`))}${rows.map(
  (row) =>
    line(
      row.map(
        (cell) =>
          html`<td class="card ink" style="${style(cell)}">${spans(cell.tokens, look)}</td>`,
      ),
    ),
)}</table>\n`;
}

const spans = (tokens: readonly Token[] | undefined, look: ArticleLook): Html =>
  html`${known(tokens).map((token) => span(token, look))}`;

function span(token: MarkedToken, look: ArticleLook): Html {
  switch (token.type) {
    case 'strong':
      return html`<strong>${spans(token.tokens, look)}</strong>`;
    case 'em':
      return html`<em>${spans(token.tokens, look)}</em>`;
    case 'del':
      return html`<del>${spans(token.tokens, look)}</del>`;
    case 'codespan':
      return html`<code>${token.text}</code>`;
    case 'br':
      return new Html('<br>');
    case 'link': {
      const href = hrefOf(token, look.siteUrl);
      const words = spans(token.tokens, look);
      return href === null
        ? words
        : html`<a class="link" href="${href}" style="color:${look.primary};">${words}</a>`;
    }
    case 'image':
      return html`${plain(token.text)}`;
    case 'text':
      return token.tokens ? spans(token.tokens, look) : html`${plain(token.text)}`;
    case 'escape':
    case 'html':
      return html`${token.text}`;
    default:
      return new Html('');
  }
}

// As plain text ---------------------------------------------------------------------------------

/** The blocks of an article as plain text, with a blank line between them. */
export function articleText(tokens: readonly MarkedToken[], siteUrl: string): string {
  return tokens
    .map((token) => blockText(token, siteUrl))
    .filter((text) => text !== '')
    .join('\n\n');
}

function blockText(token: MarkedToken, siteUrl: string): string {
  switch (token.type) {
    case 'heading':
    case 'paragraph':
      return spansText(token.tokens, siteUrl);
    case 'text':
      return token.tokens ? spansText(token.tokens, siteUrl) : plain(token.text);
    case 'blockquote':
      return articleText(known(token.tokens), siteUrl).replace(/^/gm, '> ');
    case 'list':
      return token.items.map((item, index) => itemText(token, item, index, siteUrl)).join('\n');
    case 'table':
      return [token.header, ...token.rows]
        .map((row) => row.map(({ tokens }) => spansText(tokens, siteUrl)).join(' | '))
        .join('\n');
    case 'code':
      return token.text.replace(/^/gm, '    ');
    case 'hr':
      return '* * *';
    case 'html':
      return token.text.trim();
    default:
      return spanText(token, siteUrl);
  }
}

function itemText(list: Tokens.List, item: Tokens.ListItem, index: number, siteUrl: string) {
  const mark = list.ordered ? `${Number(list.start || 1) + index}. ` : item.task ? '☐ ' : '- ';
  const words = known(item.tokens).map((token) => blockText(token, siteUrl));
  return (
    mark +
    words
      .filter(Boolean)
      .join('\n')
      .replace(/\n/g, `\n${' '.repeat(mark.length)}`)
  );
}

const spansText = (tokens: readonly Token[] | undefined, siteUrl: string): string =>
  known(tokens)
    .map((token) => spanText(token, siteUrl))
    .join('');

function spanText(token: MarkedToken, siteUrl: string): string {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return spansText(token.tokens, siteUrl);
    case 'br':
      return '\n';
    case 'link': {
      const href = hrefOf(token, siteUrl);
      const words = spansText(token.tokens, siteUrl);
      return href === null || href === words || href === `mailto:${words}`
        ? words
        : `${words} (${href})`;
    }
    case 'image':
      return plain(token.text);
    case 'text':
      return token.tokens ? spansText(token.tokens, siteUrl) : plain(token.text);
    case 'codespan':
    case 'escape':
    case 'html':
      return token.text;
    default:
      return '';
  }
}
