/** Measures the transfer size of prerendered pages, from the built files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { importsOf } from '../fixtures/module-imports.ts';

/** 1 kB is 1,000 bytes, as in browser developer tools. */
export const KB = 1_000;

/** `island`: has a React island. `form`: has a form to send. `reading`: all others. */
export type Kind = 'reading' | 'form' | 'island';

/** A built page, and what a browser loads for it before any interaction, in kB as transferred. */
export interface Weighed {
  page: string;
  kind: Kind;
  /** HTML alone with brotli, which is what each further page costs. */
  html: number;
  /** HTML and linked stylesheets, which is what a first visit costs, with brotli and gzip. */
  brotli: number;
  gzip: number;
  script: number;
  fonts: number;
}

function kindOf(html: string): Kind {
  if (html.includes('<astro-island')) return 'island';
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  // A calculator sends nothing, and loads its script on first use.
  return /<form\b(?![^>]*data-calculator)/.test(main) ? 'form' : 'reading';
}

const sizes = (content: string | Buffer) => ({
  brotli: brotliCompressSync(content).length / KB,
  gzip: gzipSync(content, { level: 9 }).length / KB,
});

/** The paths of all built pages. */
async function builtPages(client: string): Promise<string[]> {
  const names = await readdir(client, { recursive: true });
  return names
    .filter((name) => path.basename(name) === 'index.html')
    .map((name) => `/${path.dirname(name)}`.replace(/^\/\.$/, '/'))
    .sort();
}

/** Executable scripts, as opposed to data blocks such as JSON. */
const runningIn = (html: string) =>
  [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .map(([, attributes = '', content = '']) => ({ attributes, content }))
    .filter(({ attributes }) => !/\btype="?(?:application\/|speculationrules)/.test(attributes));

const matchesOf = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, found = '']) => found.split('?')[0] ?? '');

/** Collects a script and its static imports; dynamic ones aren't loaded until they're needed. */
async function scriptsFrom(client: string, address: string, seen: Set<string>): Promise<void> {
  if (seen.has(address)) return;
  seen.add(address);
  const code = await readFile(path.join(client, address), 'utf8');
  const eager = importsOf(code.replace(/\bimport\s*\([^)]*\)/g, ''));
  for (const each of eager) {
    await scriptsFrom(client, new URL(each, `http://x${address}`).pathname, seen);
  }
}

/** The scripts that a page's islands need to work, in kB as sent: small ones aren't compressed. */
export async function weighIslands(client: string, html: string): Promise<number> {
  const loaded = new Set<string>();
  const needed = matchesOf(
    html,
    /(?:component-url|renderer-url|before-hydration-url)="(\/[^"]+)"/g,
  );
  const linked = matchesOf(html, /<script\b[^>]*\bsrc="(\/_astro\/[^"]+)"/g);
  for (const address of [...needed, ...linked]) await scriptsFrom(client, address, loaded);
  const sizes = [...loaded].map((address) => sentSize(path.join(client, address)));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / KB;
}

const sentSize = (file: string): Promise<number> =>
  stat(`${file}.br`).then(
    ({ size }) => size,
    async () => (await stat(file)).size,
  );

async function weigh(client: string, page: string, html: string): Promise<Weighed> {
  const file = path.join(client, page, 'index.html');
  const sent = async (ending: string) => (await stat(file + ending)).size / KB;
  const read = (address: string) => readFile(path.join(client, address));
  const sum = (all: number[]) => all.reduce((total, one) => total + one, 0);

  const sheets = await Promise.all(
    matchesOf(html, /<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g).map(read),
  );
  const linked = sheets.map(sizes);

  const loaded = new Set<string>();
  // Scripts in a `<template>` aren't loaded or run until a script inserts its content.
  const running = runningIn(html.replace(/<template\b[\s\S]*?<\/template>/g, ''));
  for (const { attributes } of running) {
    const address = /\bsrc="(\/[^"?]+)/.exec(attributes)?.[1];
    if (address) await scriptsFrom(client, address, loaded);
  }
  const scripts = await Promise.all([...loaded].map(read));
  const inline = running.map(({ content }) => content).join('\n');

  const fonts = new Set(matchesOf(html, /url\("?([^")]+\.woff2)"?\)/g));
  return {
    page,
    kind: kindOf(html),
    html: await sent('.br'),
    brotli: sum([await sent('.br'), ...linked.map(({ brotli }) => brotli)]),
    gzip: sum([await sent('.gz'), ...linked.map(({ gzip }) => gzip)]),
    script: sum([...scripts, inline].map((script) => sizes(script).brotli)),
    fonts: sum(await Promise.all([...fonts].map(async (font) => (await read(font)).length / KB))),
  };
}

/** Measures every built page that people read; redirects don't count. */
export async function weighPages(client: string): Promise<Weighed[]> {
  const weighed: Weighed[] = [];
  for (const page of await builtPages(client)) {
    const html = await readFile(path.join(client, page, 'index.html'), 'utf8');
    if (!/<meta http-equiv="refresh"/.test(html)) weighed.push(await weigh(client, page, html));
  }
  return weighed;
}
