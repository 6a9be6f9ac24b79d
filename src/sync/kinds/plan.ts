import * as v from 'valibot';
import { AppError } from '#lib/errors.ts';
import { defineKind, sendWith } from '../kind.ts';

/** A field of a business's plan; its key is `<business>/<field>`. */
export const planKind = defineKind({
  name: 'plan',
  rest: 600,
  schema: v.object({
    value: v.string(),
    base: v.object({ revision: v.number(), editor: v.string() }),
  }),
  send: ({ value, base }, key) =>
    sendWith(
      () => Promise.all([import('#data/business-plans.ts'), import('#domain/plan.ts')]),
      async ([{ savePlanField }, { PLAN_FIELDS, planProblem }], client) => {
        const [business_id = '', name] = key.split('/');
        const field = PLAN_FIELDS.find((each) => each === name);
        if (!field) throw new AppError('invalid');
        const problem = planProblem(value);
        if (problem !== null) throw new AppError('invalid', problem);
        await savePlanField(client, { business_id, field, value, ...base });
      },
    ),
  summarize: () => 'Changes to a business plan',
});
