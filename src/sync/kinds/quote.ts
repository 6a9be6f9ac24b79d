import * as v from 'valibot';

/** The message that a reply quotes, as stored in the browser. */
export const quoteSchema = v.object({
  id: v.string(),
  seq: v.number(),
  author_id: v.nullable(v.string()),
  excerpt: v.nullable(v.string()),
  removed: v.boolean(),
});
