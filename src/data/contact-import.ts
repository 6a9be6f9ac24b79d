/** Importing lists of people and businesses, for admins. */
import * as v from 'valibot';
import { IMPORT_OUTCOMES, type ImportRow } from '#domain/contact-import.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

const importResult = v.object({
  /** The row's number in the file. */
  row: v.number(),
  outcome: v.picklist(IMPORT_OUTCOMES),
  /** What happened to its business: `joined` is one that another row has added. */
  business: v.nullable(v.picklist(['new', 'joined', 'there'])),
  /** Why it was refused, or what an admin should know. */
  note: v.nullable(v.string()),
});
export type ImportResult = v.InferOutput<typeof importResult>;

interface ImportOptions {
  /** The file's name, for the audit log. */
  file: string;
  /** Finds out what would happen, and changes nothing. */
  isDry: boolean;
  /** Emails an invitation to the owners of new businesses. */
  invites?: boolean;
}

/**
 * Imports or checks up to 500 rows. Rows that were imported before change nothing, so it's safe to
 * send them again. Throws an AppError.
 */
export async function importContacts(
  db: Db,
  rows: readonly ImportRow[],
  { file, isDry, invites = false }: ImportOptions,
): Promise<ImportResult[]> {
  const answer = await rpc(db, 'import_contacts', v.object({ rows: v.array(importResult) }), {
    p_rows: rows as ImportRow[],
    p_file: file,
    p_dry: isDry,
    p_invite: invites,
  });
  return answer.rows;
}
