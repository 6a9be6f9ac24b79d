import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { type Redirect, redirectProblems } from '#lib/redirects.ts';

/**
 * Reads `content/redirects.yaml` of a project.
 * @throws Error with a sentence for each redirect that cannot be
 */
export async function readRedirects(projectRoot: string): Promise<Redirect[]> {
  const text = await readFile(path.join(projectRoot, 'content/redirects.yaml'), 'utf8');
  const redirects = (parse(text) ?? []) as Redirect[];
  const problems = redirectProblems(redirects);
  if (problems.length > 0) {
    throw new Error(`content/redirects.yaml cannot be used.\n${problems.join('\n')}`);
  }
  return redirects;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** Writes a page for each, for plain web servers: it leads on by itself, and has a link. */
export async function writeRedirectPages(client: string, redirects: Redirect[]): Promise<void> {
  for (const { from, to } of redirects) {
    const folder = path.join(client, from);
    await mkdir(folder, { recursive: true });
    const target = escaped(to);
    await writeFile(
      path.join(folder, 'index.html'),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>This page is elsewhere</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=${target}"></head><body><main><h1>This page is elsewhere</h1><p><a href="${target}">Go on</a></p></main></body></html>\n`,
    );
  }
}
