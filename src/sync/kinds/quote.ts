import * as z from 'zod/mini';

/** What a message answers to, as a browser stored it. */
export const quoteSchema = z.object({
  id: z.string(),
  seq: z.number(),
  author_id: z.nullable(z.string()),
  excerpt: z.nullable(z.string()),
  removed: z.boolean(),
});
