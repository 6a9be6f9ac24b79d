import * as v from 'valibot';
import { defineKind, quoted, sendWith } from '../kind.ts';

const values = v.optional(v.array(v.string()));

const input = v.object({
  name: v.string(),
  trading: v.picklist(['trading', 'not-yet', '']),
  postalCode: v.string(),
  helpWanted: v.string(),
  // Not in what was stored before November 26, 2026.
  industry: v.optional(v.string(), ''),
  stage: v.optional(v.string(), ''),
});

/** Values that may have been sent for each field before. The server replaces only those. */
const earlier = v.object({
  name: values,
  trading: values,
  postal_code: values,
  help_wanted: values,
  industry: values,
  stage: values,
});

export type EarlierInput = v.InferOutput<typeof earlier>;

const FIELDS = ['name', 'trading', 'postal_code', 'help_wanted', 'industry', 'stage'] as const;

/** A new business, including later edits while it's unsent; its key is its id. */
export const businessKind = defineKind({
  name: 'business',
  rest: 600,
  schema: v.union([
    v.object({ value: input, base: earlier }),
    // The stored format before November 2026.
    v.pipe(
      v.object({ input, earlier }),
      v.transform((old) => ({ value: old.input, base: old.earlier })),
    ),
  ]),
  /** Creates the business if it doesn't exist, then saves the fields changed since that request. */
  send: ({ value, base }, id) =>
    sendWith(
      () => import('#data/businesses.ts'),
      async ({ createBusiness, saveBusinessFact }, client) => {
        await createBusiness(client, id, value);
        const { postalCode, helpWanted, ...same } = value;
        const now = { ...same, postal_code: postalCode, help_wanted: helpWanted };
        for (const field of FIELDS) {
          const known = base[field];
          if (!known?.some((each) => each !== now[field])) continue;
          await saveBusinessFact(client, { business_id: id, field, value: now[field], known });
        }
      },
    ),
  summarize: ({ value }) => quoted('A new business', value.name),
});
