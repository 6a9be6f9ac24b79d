/** The tools in the toolbox. */

import { z } from 'astro/zod';
import { TOOL_CALCULATORS, TOOL_KINDS } from '#domain/tool.ts';
import { areaKey, day, level, questionKey, slug, words } from './vocabulary.ts';

/** A tool in the toolbox; `content/toolbox/<slug>.md`. */
export const toolboxSchema = z.strictObject({
  id: z.uuid('Give the item an id that is a UUID.'),
  slug,
  title: words(60),
  /** One or two sentences about what you end up with. */
  summary: words(200),
  type: z.enum(TOOL_KINDS, {
    error: 'A type is template, guide, worksheet, calculator, checklist, video or link.',
  }),
  area: areaKey,
  /** The practice that it does, by the key of the quiz question; no other tool does the same. */
  practice: questionKey,
  /** The skill levels it's for. */
  levels: z.array(level).min(1, 'Name at least one level.'),
  /** Minutes to work through it once. */
  minutes: z.number().int().min(5).max(480),
  /** Its format, such as "Table with a worked example". */
  format: words(60),
  version: z.number().int().positive(),
  /** The day someone last checked it, as YYYY-MM-DD in quotation marks. */
  reviewed_on: day,
  /** The calculator on its page, if any. */
  calculator: z
    .enum(TOOL_CALCULATORS, {
      error: 'A calculator is break-even, cash-runway or price.',
    })
    .optional(),
  /**
   * The figures that the calculator shows a visitor first: those of the worked example, by field, in
   * dollars, hours and shares.
   */
  example: z.record(z.string(), z.number()).optional(),
});
