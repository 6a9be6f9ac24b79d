/** The audit log, for admins. */
import * as v from 'valibot';
import type { AuditFilter } from '#domain/audit.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

export const auditEntry = listedRow({
  /** A moment, as ISO 8601. */
  at: v.string(),
  action: v.string(),
  entity: v.string(),
  entity_id: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  details: v.record(v.string(), v.unknown()),
  /** Null: the product itself, or the server's operator. The name is null after a deletion. */
  actor: v.nullable(v.object({ id: v.string(), name: v.nullable(v.string()) })),
  /** The name of the person, business or project. */
  about: v.nullable(v.string()),
});
export type AuditEntry = v.InferOutput<typeof auditEntry>;

/** A page of the log, newest first. Reading it is recorded too. */
export const listAudit = (db: Db, filter: AuditFilter, limit?: number) =>
  readAdminList(db, 'admin_audit', auditEntry, filter, limit);
