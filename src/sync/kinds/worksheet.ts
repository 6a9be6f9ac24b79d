import * as v from 'valibot';
import type { AnySheet } from '#data/business-worksheets.ts';
import { defineKind, sendWith } from '../kind.ts';
import { createRevisionSaver } from '../own-revisions.ts';

const figures = v.record(v.string(), v.unknown());

/** The figures of a worksheet; its module in `data/` checks them. */
export type Figures = v.InferOutput<typeof figures>;

const save = createRevisionSaver<Figures, AnySheet>(
  (sent, { document }) => JSON.stringify(sent) === JSON.stringify(document),
  'Someone else changed these figures in the meantime.',
);

/** A forecast or a calculator of a business; its key is `<business>/<kind>`. */
export const worksheetKind = defineKind({
  name: 'worksheet',
  rest: 800,
  schema: v.object({ value: figures, base: v.object({ revision: v.number() }) }),
  send: ({ value, base }, key) =>
    sendWith(
      () => import('#data/business-worksheets.ts'),
      ({ saveWorksheet }, client) =>
        save(key, { value, revision: base.revision }, (revision) =>
          saveWorksheet(client, key, { value, revision }),
        ),
    ),
  summarize: () => 'Changes to a business’s figures',
});
