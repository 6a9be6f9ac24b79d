/** What the schemas of several collections share: keys, addresses, and words of a certain length. */

import { readFileSync } from 'node:fs';
import { z } from 'astro/zod';
import { parse } from 'yaml';
import { LEVELS } from '#domain/level.ts';

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

/** One of the eight areas; part of addresses, so it never changes. */
export const areaKey = z.enum(areaKeys, {
  error: `Name one of the eight areas: ${areaKeys.join(', ')}.`,
});
/** A level of a score, weakest first. */
export const level = z.enum(LEVELS, {
  error: 'A level is starting, developing, established or strong.',
});
/** The last part of an address. */
export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Write lowercase words joined by hyphens.');
/** `area.practice`, the name of a question for good. */
export const questionKey = z
  .string()
  .regex(
    /^[a-z-]+\.[a-z-]+$/,
    'Write the area, a dot and the practice, such as web-design.next-step.',
  );
/** A path on this site or an https address. */
export const href = z
  .string()
  .regex(/^(\/(?!\/)|https:\/\/)/, 'Start with / for this site or https:// for another.');
/** Text that's shown: never blank, never longer than fits. */
export const words = (most: number) =>
  z.string().trim().min(1, 'Write something here.').max(most, `Keep this to ${most} characters.`);
/** A day, YYYY-MM-DD. */
export const day = z.iso.date('Write the day as YYYY-MM-DD in quotation marks.');
/** A link and its text. */
export const link = z.strictObject({ label: words(60), href });

const { product, slug: productSlug } = parse(
  readFileSync(new URL('../../content/site.yaml', import.meta.url), 'utf8'),
) as { product: string; slug: string };

/** Text with `{product}` replaced by the name of the product. */
export const named = (most: number) =>
  words(most).transform((text) => text.replaceAll('{product}', product));
/** The last part of an address, with `{product}` replaced by the name's form in addresses. */
export const namedSlug = z
  .string()
  .transform((text) => text.replaceAll('{product}', productSlug))
  .pipe(slug);
