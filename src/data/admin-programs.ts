/** All programs, for admins. Each read and each change is recorded in the audit log. */
import * as v from 'valibot';
import { ORDER_STATES } from '#domain/order.ts';
import { type ProgramFilter, SEAT_STATES, type SeatFilter } from '#domain/program.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';
import { sponsoredEntries } from './programs.ts';

export const listedProgram = listedRow({
  name: v.string(),
  sponsor: v.string(),
  starts_on: v.string(),
  ends_on: v.string(),
  open: v.boolean(),
  created_at: v.string(),
  seats: v.number(),
  free: v.number(),
  activated: v.number(),
  waiting: v.number(),
});
export type ListedProgram = v.InferOutput<typeof listedProgram>;

/** A page of all programs. */
export const listAllPrograms = (db: Db, filter: ProgramFilter, limit?: number) =>
  readAdminList(db, 'admin_programs', listedProgram, filter, limit);

export const anyProgram = v.object({
  ...sponsoredEntries,
  /** Null if an admin made it, for this reason. */
  order: v.nullable(v.object({ id: v.string(), state: v.picklist(ORDER_STATES) })),
  reason: v.nullable(v.string()),
  consent_version: v.number(),
  consent: v.string(),
  /** Email addresses. */
  sponsors: v.array(v.string()),
  /** The first 50 who wait; `waiting` says how many there are. */
  waiting_list: v.array(
    v.object({ id: v.string(), name: v.nullable(v.string()), joined_at: v.string() }),
  ),
});
export type AnyProgram = v.InferOutput<typeof anyProgram>;

/** A program with everything that belongs to it. */
export const getAnyProgram = (db: Db, id: string): Promise<AnyProgram> =>
  rpc(db, 'admin_get_program', anyProgram, { p_id: id });

const listedSeat = listedRow({
  number: v.number(),
  state: v.picklist(SEAT_STATES),
  since: v.string(),
  address: v.nullable(v.string()),
  reserved_until: v.nullable(v.string()),
  business: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** How many of its sessions it has used. */
  used: v.number(),
  of: v.number(),
  /** False once its owner has withdrawn from the totals. */
  counted: v.boolean(),
  can_pass_on: v.nullable(v.boolean()),
});
export type ListedSeat = v.InferOutput<typeof listedSeat>;

/** A page of a program's seats. */
export const listSeats = (db: Db, program: string, filter: SeatFilter, limit?: number) =>
  readAdminList(db, 'admin_seats', listedSeat, { ...filter, program }, limit);

/** Makes a program without an order. */
export const giveProgram = (
  db: Db,
  id: string,
  said: {
    name: string;
    sponsor: string;
    seats: number;
    sessions: number;
    startsOn: string;
    endsOn: string;
    reason: string;
  },
): Promise<AnyProgram> =>
  rpc(db, 'give_program', anyProgram, {
    p_id: id,
    p_name: said.name,
    p_sponsor: said.sponsor,
    p_seats: said.seats,
    p_sessions: said.sessions,
    p_starts_on: said.startsOn,
    p_ends_on: said.endsOn,
    p_reason: said.reason,
  });

export interface ProgramChanges {
  name: string;
  sponsor: string;
  starts_on: string;
  ends_on: string;
  closed: boolean;
  groups_by: string;
  postal_prefixes: string[];
  email_domains: string[];
  consent: string;
}

/** Changes a program; a text that differs becomes a new version. */
export const saveProgram = (db: Db, id: string, changes: ProgramChanges): Promise<AnyProgram> =>
  rpc(db, 'save_program', anyProgram, { p_id: id, p_changes: { ...changes } });

/** Names a sponsor, or removes one. */
export const setSponsor = (
  db: Db,
  programId: string,
  address: string,
  isSponsor: boolean,
): Promise<AnyProgram> =>
  rpc(db, 'set_sponsor', anyProgram, {
    p_program_id: programId,
    p_address: address,
    p_is_sponsor: isSponsor,
  });

/** Frees a reserved seat, or one that hasn't been used for 90 days. */
export const passOnSeat = (db: Db, seatId: string, reason: string): Promise<AnyProgram> =>
  rpc(db, 'pass_on_seat', anyProgram, { p_id: seatId, p_reason: reason });
