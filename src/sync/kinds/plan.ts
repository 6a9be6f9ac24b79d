import * as v from 'valibot';
import { defineKind, sendWith } from '../kind.ts';

/** A field of a business's plan; its key is `<business>/<field>`. */
export const planKind = defineKind({
  name: 'plan',
  rest: 600,
  schema: v.object({
    value: v.string(),
    base: v.object({ revision: v.number(), editor: v.string() }),
  }),
  send: (change, key) =>
    sendWith(
      () => import('#data/business-plans.ts'),
      ({ savePlanChange }, client) => savePlanChange(client, key, change),
    ),
  summarize: () => 'Changes to a business plan',
});
