import * as v from 'valibot';
import type { AnySheet } from '#data/business-worksheets.ts';
import { defineTextKind } from '../text-kind.ts';

const figures = v.record(v.string(), v.unknown());

/** The figures of a worksheet; its module in `data/` checks them. */
export type Figures = v.InferOutput<typeof figures>;

/** A forecast or a calculator of a business; its key is `<business>/<kind>`. */
export const worksheetKind = defineTextKind({
  name: 'worksheet',
  text: figures,
  isSame: (sent, { document }: AnySheet) => JSON.stringify(sent) === JSON.stringify(document),
  load: () => import('#data/business-worksheets.ts'),
  save: ({ saveWorksheet }, client, key, value, revision) =>
    saveWorksheet(client, key, { value, revision }),
  what: 'Changes to a business’s figures',
});
