import type { ClientRecord } from '#data/coaching-client.ts';
import type { Db } from '#lib/supabase.ts';
import type { Reader } from '../when.ts';

export interface DialogDeps {
  client: ClientRecord;
  reader: Reader;
  /** Stores a step and shows its result. Throws an AppError. */
  take: (step: (db: Db) => Promise<unknown>) => Promise<void>;
  /** Announces what was stored, and closes the dialog. */
  onDone: (said: string) => void;
  onClose: () => void;
}

/** What the page calls the owner. */
export const nameOf = ({ owner, business_name }: ClientRecord): string =>
  owner.preferred_name || owner.full_name || business_name;
