import * as z from 'zod/mini';
import { defineKind, quoted, sendWith } from '../kind.ts';

const known = z.optional(z.array(z.string()));

const schema = z.object({
  id: z.string(),
  input: z.object({
    name: z.string(),
    trading: z.enum(['trading', 'not-yet', '']),
    postalCode: z.string(),
    helpWanted: z.string(),
  }),
  /** What was sent of each field before, so that the newest words are saved and nobody else's are lost. */
  earlier: z.object({ name: known, trading: known, postal_code: known, help_wanted: known }),
});

export type WrittenBusiness = z.infer<typeof schema>;

const FIELDS = ['name', 'trading', 'postal_code', 'help_wanted'] as const;

/** A business that somebody is about to add, as often as they change it; its key is its id. */
export const businessKind = defineKind({
  name: 'business',
  schema,
  /** Makes the business, or finds it made; then saves what has changed since it was first sent. */
  send: ({ id, input, earlier }) =>
    sendWith(
      () => import('#data/businesses.ts'),
      async ({ createBusiness, saveBusinessFact }, client) => {
        await createBusiness(client, id, input);
        const { name, trading, postalCode, helpWanted } = input;
        const now = { name, trading, postal_code: postalCode, help_wanted: helpWanted };
        for (const field of FIELDS) {
          const before = earlier[field];
          if (!before) continue;
          const change = { business_id: id, field, value: now[field], known: before };
          await saveBusinessFact(client, change);
        }
      },
    ),
  summarize: ({ input }) => quoted('A new business', input.name),
});
