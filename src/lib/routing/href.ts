/**
 * Builds the paths of pages. It's apart from the table of routes, which a browser would otherwise
 * load to link to a page.
 */
import { TRANSLATIONS } from '#domain/language.ts';
import type { RoutePath } from './routes.ts';
import { UUID } from './uuid.ts';

const SLUG = '[a-z0-9]+(?:-[a-z0-9]+)*';
const TOKEN = '[0-9a-f]{64}';
const LANGUAGE = TRANSLATIONS.join('|');
const SHAPES: Record<string, string> = { id: UUID, slug: SLUG, token: TOKEN, language: LANGUAGE };

/** The parameters of a path: `[id]`. */
export const PLACE = /\[(\w+)\]/g;

/** The source of a regular expression for the values of a parameter. */
export const shapeOf = (name: string) => SHAPES[name] ?? UUID;

/**
 * Builds a page's path: `hrefFor('/dashboard/skills/quiz/[id]', { id })`. Throws if a parameter has
 * the wrong format, which is always a bug.
 */
export function hrefFor(path: RoutePath, params: Record<string, string> = {}): string {
  return path.replace(PLACE, (_, name: string) => {
    const value = params[name] ?? '';
    if (new RegExp(`^${shapeOf(name)}$`).test(value)) return value;
    throw new Error(`"${value}" is no ${name} for ${path}`);
  });
}

/** Adds `?next=` to a page's path, unless it's null. */
export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}
