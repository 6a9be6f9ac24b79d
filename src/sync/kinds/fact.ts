import * as z from 'zod/mini';
import { AppError } from '#lib/errors.ts';
import { defineKind, sendWith } from '../kind.ts';

/** A field of a business; its key is `<business>/<field>`. */
export const factKind = defineKind({
  name: 'fact',
  rest: 600,
  schema: z.object({ value: z.string(), base: z.object({ known: z.array(z.string()) }) }),
  send: ({ value, base }, key) =>
    sendWith(
      () => Promise.all([import('#data/businesses.ts'), import('#lib/schemas.ts')]),
      async ([{ saveBusinessFact }, { factProblem, facts }], client) => {
        const [business_id = '', name] = key.split('/');
        const field = z.keyof(facts).safeParse(name).data;
        if (!field) throw new AppError('invalid');
        const problem = factProblem(field, value);
        if (problem !== null) throw new AppError('invalid', problem);
        await saveBusinessFact(client, { business_id, field, value, ...base });
      },
    ),
  summarize: () => 'Changes to a business',
});
