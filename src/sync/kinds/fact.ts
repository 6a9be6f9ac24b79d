import * as v from 'valibot';
import { AppError } from '#lib/errors.ts';
import { defineKind, sendWith } from '../kind.ts';

/** A field of a business; its key is `<business>/<field>`. */
export const factKind = defineKind({
  name: 'fact',
  rest: 600,
  schema: v.object({ value: v.string(), base: v.object({ known: v.array(v.string()) }) }),
  send: ({ value, base }, key) =>
    sendWith(
      () => Promise.all([import('#data/businesses.ts'), import('#lib/schemas/business.ts')]),
      async ([{ saveBusinessFact }, { factProblem, facts }], client) => {
        const [business_id = '', name] = key.split('/');
        const field = v.parse(v.keyof(facts), name);
        const problem = factProblem(field, value);
        if (problem !== null) throw new AppError('invalid', problem);
        await saveBusinessFact(client, { business_id, field, value, ...base });
      },
    ),
  summarize: () => 'Changes to a business',
});
