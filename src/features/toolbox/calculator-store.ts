/** What's typed into a calculator, kept with a business. */
import * as v from 'valibot';
import {
  type CalculatorDocument,
  type CalculatorWorksheet,
  calculatorDocument,
  getCalculator,
  listCalculatorVersions,
  restoreCalculator,
} from '#data/business-worksheets.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { db } from '#lib/db.ts';
import { createWorksheetAutosave } from '#stores/worksheet-autosave.ts';
import { pageSync } from '#sync/page-sync.ts';
import type { CalculatorKind } from '#ui/calculators/definitions.ts';

/** Where this browser keeps a person's numbers who has no business. */
export const browserKey = (personId: string, kind: CalculatorKind) =>
  `trellis-calculator:${personId}:${kind}`;

/** Creates the store of one calculator. */
export function createCalculatorStore(
  kind: CalculatorKind,
  { business_id, sheet }: CalculatorWorksheet,
  personId: string,
) {
  const { autosave, parse } = createWorksheetAutosave<CalculatorDocument>({
    key: `${business_id}/${kind}`,
    sheet,
    empty: {},
    parse(figures) {
      const read = v.safeParse(calculatorDocument, figures);
      // The database sorts its fields: by length, then by letter.
      return read.success ? inOrder(read.output) : null;
    },
    read: async () => (await getCalculator(await db(), business_id, kind)).sheet,
    openSync: () => pageSync(personId),
  });
  return {
    $fields: autosave.$fields,
    parse,
    type: (typed: CalculatorDocument) => autosave.type('sheet', inOrder(typed)),
    flush: () => autosave.flush(),
    /** A page of earlier versions. Throws an AppError. */
    list: async (before?: number) => listCalculatorVersions(await db(), business_id, kind, before),
    /** Restores an older version. Throws an AppError. */
    async restore(revision: number): Promise<void> {
      autosave.renew('sheet', await restoreCalculator(await db(), business_id, kind, revision));
    },
    choose: (which: 'mine' | 'theirs') => autosave.choose('sheet', which),
    open(): () => void {
      const close = autosave.open();
      const key = browserKey(personId, kind);
      const earlier = sheet.revision === 0 ? readStored(key, calculatorDocument) : null;
      // Once: numbers from before calculators were kept with the business.
      if (earlier) {
        autosave.type('sheet', inOrder(earlier));
        writeStored(key, null);
      }
      return close;
    },
  };
}

const inOrder = (typed: CalculatorDocument): CalculatorDocument =>
  Object.fromEntries(
    Object.entries(typed).toSorted(
      ([a], [b]) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0),
    ),
  );
