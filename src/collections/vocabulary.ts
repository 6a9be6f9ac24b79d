/** Fields that several collections share: keys, addresses and text with a maximum length. */

import { readFileSync } from 'node:fs';
import { z } from 'astro/zod';
import { parse } from 'yaml';
import { LEVELS } from '#domain/level.ts';
import { PRACTICES } from '#domain/practice.ts';

export const areaKeys = [
  'web-design',
  'custom-research',
  'growth-strategy',
  'sales-marketing',
  'business-planning',
  'people-management',
  'financial-projection',
  'operations-workflows',
] as const;

/** One of the eight skill areas. It's part of URLs, so it never changes. */
export const areaKey = z.enum(areaKeys, {
  error: `Name one of the eight areas: ${areaKeys.join(', ')}.`,
});
/** The level of a score, weakest first. */
export const level = z.enum(LEVELS, {
  error: 'A level is starting, developing, established or strong.',
});
/** The last segment of a URL. */
export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Write lowercase words joined by hyphens.');
/** `area.practice`, the permanent name of a question and of the practice that it asks about. */
export const questionKey = z.enum(PRACTICES, {
  error: 'Write the area, a dot and the practice, as src/domain/practice.ts lists them.',
});
/** A path on this site or an https address. */
export const href = z
  .string()
  .regex(/^(\/(?!\/)|https:\/\/)/, 'Start with / for this site or https:// for another.');
/** Display text: never blank, and at most `most` characters. */
export const words = (most: number) =>
  z.string().trim().min(1, 'Write something here.').max(most, `Keep this to ${most} characters.`);
/** A day, YYYY-MM-DD. */
export const day = z.iso.date('Write the day as YYYY-MM-DD in quotation marks.');
/** A link and its text. */
export const link = z.strictObject({ label: words(60), href });

const { product, slug: productSlug } = parse(
  readFileSync(new URL('../../content/site.yaml', import.meta.url), 'utf8'),
) as { product: string; slug: string };

/** Text in which `{product}` becomes the product's name. */
export const named = (most: number) =>
  words(most).transform((text) => text.replaceAll('{product}', product));
/** The last segment of a URL, in which `{product}` becomes the product's slug. */
export const namedSlug = z
  .string()
  .transform((text) => text.replaceAll('{product}', productSlug))
  .pipe(slug);
