import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { type Redirect, redirectProblems } from '#lib/content/redirects.ts';

const REDIRECTS = v.array(
  v.strictObject({ from: v.string(), to: v.string(), note: v.optional(v.string()) }),
);

/** Reads `content/redirects.yaml`. Throws an error with a sentence for each invalid redirect. */
export async function readRedirects(projectRoot: string): Promise<Redirect[]> {
  const text = await readFile(path.join(projectRoot, 'content/redirects.yaml'), 'utf8');
  const read = v.safeParse(REDIRECTS, parse(text) ?? []);
  const problems = read.success
    ? redirectProblems(read.output)
    : read.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}.`);
  if (!read.success || problems.length > 0) {
    throw new Error(`content/redirects.yaml can't be used.\n${problems.join('\n')}`);
  }
  return read.output;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** For plain web servers, writes a page per redirect; its script keeps the query string. */
export async function writeRedirectPages(client: string, redirects: Redirect[]): Promise<void> {
  for (const { from, to } of redirects) {
    const folder = path.join(client, from);
    await mkdir(folder, { recursive: true });
    const target = escaped(to);
    await writeFile(
      path.join(folder, 'index.html'),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>This page is elsewhere</title><meta name="robots" content="noindex"><noscript><meta http-equiv="refresh" content="0; url=${target}"></noscript></head><body><main><h1>This page is elsewhere</h1><p><a href="${target}">Continue</a></p></main><script>const{href}=document.querySelector('a'),to=new URL(href);for(const[key,value]of new URLSearchParams(location.search))to.searchParams.append(key,value);location.replace(to)</script></body></html>\n`,
    );
  }
}
