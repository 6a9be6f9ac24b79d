import * as v from 'valibot';
import { defineKind, quoted, sendWith } from '../kind.ts';

const values = v.optional(v.array(v.string()));

const input = v.object({
  name: v.string(),
  trading: v.picklist(['trading', 'not-yet', '']),
  postalCode: v.string(),
  helpWanted: v.string(),
});

/** What may have been sent of each field before, so only the person's own words are replaced. */
const earlier = v.object({
  name: values,
  trading: values,
  postal_code: values,
  help_wanted: values,
});

export type EarlierInput = v.InferOutput<typeof earlier>;

const FIELDS = ['name', 'trading', 'postal_code', 'help_wanted'] as const;

/** A business that a person is about to add, as often as they change it; its key is its id. */
export const businessKind = defineKind({
  name: 'business',
  rest: 600,
  schema: v.union([
    v.object({ value: input, base: earlier }),
    // As it was stored before November 2026.
    v.pipe(
      v.object({ input, earlier }),
      v.transform((old) => ({ value: old.input, base: old.earlier })),
    ),
  ]),
  /** Makes the business, or finds it made; then saves what has changed since it was first sent. */
  send: ({ value, base }, id) =>
    sendWith(
      () => import('#data/businesses.ts'),
      async ({ createBusiness, saveBusinessFact }, client) => {
        await createBusiness(client, id, value);
        const { name, trading, postalCode, helpWanted } = value;
        const now = { name, trading, postal_code: postalCode, help_wanted: helpWanted };
        for (const field of FIELDS) {
          const known = base[field];
          if (!known?.some((each) => each !== now[field])) continue;
          await saveBusinessFact(client, { business_id: id, field, value: now[field], known });
        }
      },
    ),
  summarize: ({ value }) => quoted('A new business', value.name),
});
