import * as v from 'valibot';

/** What a message answers to, as a browser stored it. */
export const quoteSchema = v.object({
  id: v.string(),
  seq: v.number(),
  author_id: v.nullable(v.string()),
  excerpt: v.nullable(v.string()),
  removed: v.boolean(),
});
