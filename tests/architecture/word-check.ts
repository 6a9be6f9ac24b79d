// `npm run check:words`: finds violations of word-rules.ts in all text that people read.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { projectFiles, root } from './layers.ts';
import { EXCEPTIONS, RULES } from './word-rules.ts';

/** Text that people read, and where it starts in its file. */
interface Passage {
  text: string;
  at: number;
}

interface Finding {
  line: number;
  words: string;
  instead: string;
}

const READ =
  /^(?:content\/.*\.(?:mdx?|yaml)|src\/.*(?:\.(?:tsx?|astro|sql|md)|templates\/.*\.html)|README\.md|CHANGELOG\.md)$/;

/** A space in a rule also matches a line break, as text wraps anywhere. */
const rules = RULES.map(({ pattern, instead }) => ({
  pattern: new RegExp(pattern.source.replaceAll(' ', '\\s+'), 'gi'),
  instead,
}));

/** Replaces what isn't prose with spaces, so that positions stay the same. */
const blank = (text: string, ...patterns: RegExp[]) =>
  patterns.reduce(
    (rest, pattern) => rest.replace(pattern, (found) => found.replace(/[^\n]/g, ' ')),
    text,
  );

const COMMENT_OR_KEY = /^[ \t]*#.*$|^[ \t]*(?:- )?[\w-]+:(?=\s)/gm;

function proseOfYaml(text: string): Passage[] {
  return [{ text: blank(text, COMMENT_OR_KEY), at: 0 }];
}

/** The prose of Markdown and MDX: without code, URLs, expressions and frontmatter keys. */
function proseOfMarkdown(text: string): Passage[] {
  const [frontmatter = ''] = /^---\n.*?^---$/ms.exec(text) ?? [];
  const body = blank(
    text.slice(frontmatter.length),
    /^```.*?^```$/gms,
    /`[^`]*`/g,
    /\]\([^)]*\)/g,
    /https?:\/\/\S+/g,
    /<!--.*?-->/gs,
    /^(?:import|export) .*$/gm,
    /\{[^{}\n]*\}/g,
  );
  return [{ text: blank(frontmatter, COMMENT_OR_KEY) + body, at: 0 }];
}

function proseOfHtml(text: string): Passage[] {
  return [{ text: blank(text, /<style>.*?<\/style>/gs, /<[^>]*>/g), at: 0 }];
}

/** String literals in SQL: messages, emails and comments on objects. */
function stringsOfSql(text: string): Passage[] {
  const passages: Passage[] = [];
  for (const found of text.matchAll(/--[^\n]*|'((?:[^']|'')*)'/g)) {
    if (isProse(found[1] ?? '')) passages.push({ text: found[1] ?? '', at: found.index + 1 });
  }
  return passages;
}

const isProse = (text: string) => /\w\s+\w/.test(text) || /^\s*[A-Z][a-z]+\s*$/.test(text);

/** String literals, templates and JSX text, without class names, imports and SQL. */
function stringsOfCode(file: string, text: string): Passage[] {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  const passages: Passage[] = [];
  const add = (node: ts.Node) => {
    const at = node.getStart(source);
    const raw = ts.isJsxText(node) ? node.text : text.slice(at + 1, node.end - 1);
    if (isProse(raw)) passages.push({ text: raw, at: ts.isJsxText(node) ? node.pos : at + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isJsxAttribute(node) && /^class/.test(node.name.getText(source))) return;
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source) !== 'html') return;
    if (
      ts.isStringLiteral(node) ||
      ts.isJsxText(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      add(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return passages;
}

/** An Astro file's frontmatter, as code, and its markup's text, attributes and strings. */
function passagesOfAstro(file: string, text: string): Passage[] {
  const [frontmatter = ''] = /^---\n.*?^---$/ms.exec(text) ?? [];
  const code = blank(frontmatter, /^---$/gm);
  const markup = blank(
    text.slice(frontmatter.length),
    /<(?:style|script)[^>]*>.*?<\/(?:style|script)>/gs,
    /<!--.*?-->|\/\*.*?\*\//gs,
    /\bclass(?::list)?=(?:"[^"]*"|\{[^}]*\})/g,
    /\b[\w:]+=(?=["{])/g,
    // Properties, such as `site.organisation`.
    /\b[a-z]\w*(?:\.\w+)+/gi,
  );
  return [...stringsOfCode(file, code), { text: markup, at: frontmatter.length }];
}

function passagesOf(file: string, text: string): Passage[] {
  if (file.endsWith('.yaml')) return proseOfYaml(text);
  if (/\.mdx?$/.test(file)) return proseOfMarkdown(text);
  if (file.endsWith('.sql')) return stringsOfSql(text);
  if (file.endsWith('.astro')) return passagesOfAstro(file, text);
  if (file.endsWith('.html')) return proseOfHtml(text);
  return stringsOfCode(file, text);
}

/** Finds text in a file that people read and that breaks a rule. */
export function findWords(file: string, text: string): Finding[] {
  const exceptions = EXCEPTIONS.filter(({ path: where }) => where.test(file));
  if (exceptions.some(({ words }) => !words)) return [];
  const findings = passagesOf(file, text).flatMap((passage) =>
    rules.flatMap(({ pattern, instead }) =>
      [...passage.text.matchAll(pattern)]
        .filter((found) => !exceptions.some(({ words }) => words?.test(found[0])))
        .map((found) => ({
          line: text.slice(0, passage.at + found.index).split('\n').length,
          words: found[0].replace(/\s+/g, ' '),
          instead,
        })),
    ),
  );
  return findings.toSorted((a, b) => a.line - b.line);
}

function main(): void {
  const files = projectFiles('.').filter((file) => READ.test(file));
  let count = 0;
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const { line, words, instead } of findWords(file, text)) {
      process.stdout.write(`${file}:${line}: “${words}” → ${instead}\n`);
      count += 1;
    }
  }
  if (count === 0) return;
  process.stdout.write(`${count} in ${files.length} files. Reword them, or add an exception.\n`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
