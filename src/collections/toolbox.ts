/** The tools that owners work with. */

import { z } from 'astro/zod';
import { TOOL_CALCULATORS, TOOL_KINDS } from '#domain/tool.ts';
import { areaKey, day, level, slug, words } from './vocabulary.ts';

/** A tool that an owner works with; `content/toolbox/<slug>.md`. */
export const toolboxSchema = z.strictObject({
  id: z.uuid('Give the item an id that is a UUID.'),
  slug,
  title: words(60),
  /** One or two sentences: what comes out of it. */
  summary: words(200),
  type: z.enum(TOOL_KINDS, {
    error: 'A type is template, guide, worksheet, calculator, checklist, video or link.',
  }),
  area: areaKey,
  /** The levels that it fits. */
  levels: z.array(level).min(1, 'Name at least one level.'),
  /** How long it takes to work through once. */
  minutes: z.number().int().min(5).max(480),
  /** What it is made of, such as "Table with a worked example". */
  format: words(60),
  version: z.number().int().positive(),
  /** The day it was last checked, as YYYY-MM-DD in quotation marks. */
  reviewed_on: day,
  /** The calculator that works in its page. */
  calculator: z
    .enum(TOOL_CALCULATORS, {
      error: 'A calculator is break-even, cash-runway or price.',
    })
    .optional(),
});
