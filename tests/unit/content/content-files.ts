/** Reads files in content/: as text, parsed, or validated with a schema. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { z } from 'astro/zod';
import { parse } from 'yaml';

const root = new URL('../../../content/', import.meta.url).pathname;

/** The text of a file. `path` is relative to content/. */
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The names of what's in a folder of content/, including its subfolders if `recursive`. */
export const names = (folder = '.', recursive = false) =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' });

/** Reads a file of a collection; `id` is its name without the extension. */
export function open(path: string) {
  const [, frontmatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(read(path)) ?? [];
  return { path, id: basename(path, extname(path)), data: parse(frontmatter), body };
}

/** Reads every file of a collection. */
export const folder = (name: string) => names(name).map((file) => open(`${name}/${file}`));

/** Validates with a schema. @throws an error with the path and every issue */
export function fits<S extends z.ZodType>(schema: S, data: unknown, path: string): z.infer<S> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new Error(
    `${path}: ${result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ')}`,
  );
}

/** Reads every file of a collection and validates its frontmatter. */
export const checked = <S extends z.ZodType>(name: string, schema: S) =>
  folder(name).map((file) => ({ ...file, data: fits(schema, file.data, file.path) }));

/** Reads and validates a YAML file; `yamls` does so for every file in a folder. */
export const yaml = <S extends z.ZodType>(path: string, schema: S) =>
  fits(schema, parse(read(path)), path);
export const yamls = <S extends z.ZodType>(name: string, schema: S) =>
  names(name).map((file) => yaml(`${name}/${file}`, schema));

/** Counts a body's words, without table bars and other punctuation. */
export const lengthOf = (body: string) =>
  body.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
