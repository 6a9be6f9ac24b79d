/** Saves a worksheet of a business, its forecast or a calculator, as people type. */
import { Autosave } from '#sync/autosave.ts';
import { type Figures, worksheetKind } from '#sync/kinds/worksheet.ts';
import type { Sync } from '#sync/sync.ts';

/** A worksheet's current state; one that was never saved has revision 0. */
export interface Sheet<Document> {
  document: Document | null;
  revision: number;
  saved_by: string | null;
  saved_at: string | null;
}

type Saved = Omit<Sheet<never>, 'document'>;

interface WorksheetOptions<Document extends object> {
  /** `<business>/<kind>` */
  key: string;
  /** As the server rendered it. */
  sheet: Sheet<Document>;
  /** What's shown before anything is saved. */
  empty: Document;
  /** Reads a queue entry, with its fields in the order of the schema; null if it's another document. */
  parse(figures: Figures): Document | null;
  /** Loads the current state from the database. */
  read(): Promise<Sheet<Document>>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
}

/** Creates the autosave of one worksheet, which has the single field `sheet`. */
export function createWorksheetAutosave<Document extends object>(
  options: WorksheetOptions<Document>,
) {
  const { key, sheet, empty, read, openSync } = options;
  const shownOf = ({ document }: Sheet<Document>): Document => document ?? empty;
  const parse = (figures: Figures) => options.parse(figures) ?? shownOf(sheet);
  const autosave = new Autosave<'sheet', Figures, Sheet<Document>, { revision: number }, Saved>({
    kind: worksheetKind,
    keyOf: () => key,
    initial: { sheet },
    shownOf: (stored) => Object.fromEntries(Object.entries(shownOf(stored))),
    normalize: (_field, value) => Object.fromEntries(Object.entries(parse(value))),
    baseOf: ({ revision }) => ({ revision }),
    extend: (base) => base,
    isStale: (base, { revision }) => revision > base.revision,
    afterSaving: (before, value, answer) => ({
      revision: answer?.revision ?? before.revision,
      saved_by: answer ? answer.saved_by : before.saved_by,
      saved_at: answer ? answer.saved_at : before.saved_at,
      document: parse(value),
    }),
    isAnswerComplete: true,
    merge: (_theirs, mine) => mine,
    read: async () => ({ sheet: await read() }),
    openSync,
  });
  return { autosave, parse };
}
