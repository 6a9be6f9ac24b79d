/** The files of content/ as the tests read them: parsed, checked by a schema, or as their words. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { z } from 'astro/zod';
import { parse } from 'yaml';

const root = new URL('../../../content/', import.meta.url).pathname;

/** The text of a file; `path` within content/. */
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The names of the files in a folder of content/; those beneath it too where asked. */
export const names = (folder = '.', recursive = false) =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' });

/** A file of a collection: its name without the ending, its frontmatter and its words. */
export function open(path: string) {
  const [, frontmatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(read(path)) ?? [];
  return { path, id: basename(path, extname(path)), data: parse(frontmatter), body };
}

/** Every file of a collection. */
export const folder = (name: string) => names(name).map((file) => open(`${name}/${file}`));

/** Parses with a schema; a misfit fails with the file and its messages. */
export function fits<S extends z.ZodType>(schema: S, data: unknown, path: string): z.infer<S> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new Error(
    `${path}: ${result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ')}`,
  );
}

/** Every file of a collection, its frontmatter checked. */
export const checked = <S extends z.ZodType>(name: string, schema: S) =>
  folder(name).map((file) => ({ ...file, data: fits(schema, file.data, file.path) }));

/** A YAML file, or every one of a folder, checked. */
export const yaml = <S extends z.ZodType>(path: string, schema: S) =>
  fits(schema, parse(read(path)), path);
export const yamls = <S extends z.ZodType>(name: string, schema: S) =>
  names(name).map((file) => yaml(`${name}/${file}`, schema));

/** How many words a body has; the bars of a table are none. */
export const lengthOf = (body: string) =>
  body.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
