/** The tools in the toolbox. */

import { z } from 'astro/zod';
import { TOOL_CALCULATORS, TOOL_FILES, TOOL_KINDS } from '#domain/tool.ts';
import { areaKey, day, level, questionKey, slug, words } from './vocabulary.ts';

/** A table of the text to fill in, on the last page of the document. */
const form = z.strictObject({
  /** What a cell of the table says that no table before it does. */
  table: z.string(),
  /** How many of its columns keep their words; none if the rows are empty. */
  keep: z.number().int().positive().optional(),
  /** The columns to write in, after those. Without them, the text's own columns. */
  add: z.array(words(40)).min(1).optional(),
  /** How many empty rows it has, if it keeps no words. */
  rows: z.number().int().min(1).max(40).optional(),
});

/** A tool in the toolbox; `content/toolbox/<slug>.md`. */
export const toolboxSchema = z
  .strictObject({
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
    /**
     * What it can be downloaded as: a spreadsheet with formulas (which needs sheets in
     * `src/lib/tool-files/`), or a document to write in.
     */
    files: z
      .array(z.enum(TOOL_FILES, { error: 'A file is a spreadsheet or a document.' }))
      .default([]),
    /** Why it can’t be downloaded: a video, say. */
    no_files: words(120).optional(),
    /** Tables of the document to fill in, if the text only has them with an example. */
    forms: z.array(form).optional(),
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
  })
  .refine(({ files, no_files }) => files.length > 0 || no_files !== undefined, {
    path: ['files'],
    error: 'Name the files it can be downloaded as, or say why there are none in no_files.',
  });
