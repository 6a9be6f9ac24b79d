import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectFiles, root } from './layers.ts';

/** Clickable elements, except `IconButton`, which always has a name and a tooltip. */
const PRESSED = /^(a|button|summary|label|Button|Radix\.(Close|Trigger|Action|Item))$/;

/** Line numbers of clickable React elements that show only an icon. */
function iconOnlyInReact(text: string): number[] {
  const file = ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const icons = new Set(['svg']);
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const names = statement.importClause?.namedBindings;
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    if (from !== 'lucide-react' || !names || !ts.isNamedImports(names)) continue;
    for (const { name } of names.elements) icons.add(name.text);
  }
  const isUnseen = ({ tagName, attributes }: ts.JsxOpeningLikeElement) =>
    icons.has(tagName.getText()) || /\bsr-only\b/.test(attributes.getText());
  /** Whether it renders text, or something that may. */
  const isSeen = (node: ts.Node): boolean => {
    if (ts.isJsxText(node)) return node.text.trim() !== '';
    if (ts.isStringLiteral(node)) return node.text.trim() !== '';
    if (ts.isJsxExpression(node)) return node.expression !== undefined && isSeen(node.expression);
    if (ts.isParenthesizedExpression(node)) return isSeen(node.expression);
    if (ts.isConditionalExpression(node)) return isSeen(node.whenTrue) || isSeen(node.whenFalse);
    if (ts.isBinaryExpression(node)) return isSeen(node.right);
    if (ts.isJsxSelfClosingElement(node)) return !isUnseen(node);
    if (ts.isJsxElement(node)) {
      const { openingElement, children } = node;
      if (openingElement.tagName.getText() === 'IconButton') return true;
      return !isUnseen(openingElement) && children.some(isSeen);
    }
    if (ts.isJsxFragment(node)) return node.children.some(isSeen);
    return true;
  };
  const lines: number[] = [];
  const visit = (node: ts.Node) => {
    const isEmpty =
      ts.isJsxElement(node) &&
      PRESSED.test(node.openingElement.tagName.getText()) &&
      !node.children.some(isSeen);
    if (isEmpty) lines.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    node.forEachChild(visit);
  };
  visit(file);
  return lines;
}

/** The same for an Astro component's markup. */
function iconOnlyInAstro(text: string): number[] {
  return [...text.matchAll(/<(a|button|summary|label)\b[\s\S]*?<\/\1>/g)].flatMap(
    ({ 0: markup, 1: tag, index }) => {
      const words = markup
        .replace(/<svg[\s\S]*?<\/svg>/g, '')
        .replace(/<(\w+)[^>]*\bsr-only\b[\s\S]*?<\/\1>/g, '')
        .replace(new RegExp(`^<${tag}(?:=>|[^>])*>`), '')
        .replace(/<[^>]*>/g, '');
      return words.trim() ? [] : [text.slice(0, index).split('\n').length];
    },
  );
}

test('The check finds what shows only an icon, and nothing else', () => {
  const icon = '<X className="size-4" aria-hidden="true" />';
  const react = (markup: string) =>
    iconOnlyInReact(`import { X } from 'lucide-react';\nconst y = ${markup};`).length;
  expect(react(`<button aria-label="Close">${icon}</button>`)).toBe(1);
  expect(react(`<a href="/"><span className="sr-only">Back</span>${icon}</a>`)).toBe(1);
  expect(react('<Radix.Close aria-label="Close"><svg><path /></svg></Radix.Close>')).toBe(1);
  expect(react(`<Button>{busy ? <svg /> : ${icon}}</Button>`)).toBe(1);
  expect(react(`<IconButton label="Close">${icon}</IconButton>`)).toBe(0);
  expect(react(`<button>${icon} Close</button>`)).toBe(0);
  expect(react(`<button>${icon}<span>{label}</span></button>`)).toBe(0);
  expect(iconOnlyInAstro('<a href="/"><svg></svg><span class="sr-only">Home</span></a>')).toEqual([
    1,
  ]);
  expect(iconOnlyInAstro('<a href="/"><svg></svg>Home</a>\n<a>{label}</a>')).toEqual([]);
});

test('Whatever shows only an icon is an IconButton, which has a tooltip', () => {
  const found = projectFiles('src').flatMap((file) => {
    const check = file.endsWith('.tsx')
      ? iconOnlyInReact
      : file.endsWith('.astro')
        ? iconOnlyInAstro
        : null;
    if (!check) return [];
    return check(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}:${line}`);
  });
  expect(found).toEqual([]);
});
