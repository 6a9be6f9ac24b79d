/** Programs: taking a seat by a code or an invitation, an owner's seats, and what a sponsor sees and does. */
import * as v from 'valibot';
import {
  CODE_STATES,
  OFFER_OUTCOMES,
  SEAT_STATES,
  type SeatKey,
  TAKE_OUTCOMES,
} from '#domain/program.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** A date, `2026-11-28`. */
const made = { made_on: v.string() };
const labels = v.array(v.string());
/** Medians of 0 to 100, the average change, and how many businesses there are, a multiple of five. */
const moved = {
  at_least: v.number(),
  first: v.number(),
  latest: v.number(),
  change: v.number(),
};
const counted = v.nullable(v.number());
const change = v.nullable(v.object({ ...made, at_least: v.number(), value: counted }));

/** What a sponsor sees of all businesses together; null where it would be about fewer than five. */
export const programFigures = v.object({
  joined: v.nullable(
    v.object({
      ...made,
      businesses: v.number(),
      groups: v.array(v.object({ businesses: v.number(), labels })),
    }),
  ),
  /** How many asked for a coach, had a session, and finished. */
  asked: counted,
  started: counted,
  finished: counted,
  sessions: v.nullable(
    v.object({
      ...made,
      value: counted,
      groups: v.array(v.object({ value: counted, labels })),
    }),
  ),
  overall: v.nullable(
    v.object({ ...made, ...moved, groups: v.array(v.object({ ...moved, labels })) }),
  ),
  skills: v.array(v.object({ ...made, ...moved, area: v.string(), name: v.string() })),
  jobs: change,
  /** In cents. */
  sales: change,
  survey: v.nullable(
    v.object({
      responses: counted,
      index: counted,
      favorable: counted,
      score: counted,
    }),
  ),
});
export type ProgramFigures = v.InferOutput<typeof programFigures>;

/** The terms of a program, as an owner reads them before taking a seat. */
const terms = v.object({
  id: v.string(),
  name: v.string(),
  sponsor: v.string(),
  sessions: v.number(),
  starts_on: v.string(),
  ends_on: v.string(),
  has_report: v.boolean(),
  postal_prefixes: v.array(v.string()),
  email_domains: v.array(v.string()),
  consent_version: v.number(),
  consent: v.string(),
});
export type ProgramTerms = v.InferOutput<typeof terms>;

export const seatOffer = v.object({
  outcome: v.picklist(OFFER_OUTCOMES),
  /** Null if there's none, or if the seat is someone else's. */
  program: v.nullable(terms),
  /** The caller's; null if they're signed out. */
  businesses: v.nullable(
    v.array(v.object({ id: v.string(), name: v.string(), postal_code: v.nullable(v.string()) })),
  ),
  /** What the sponsor sees now; null if they're signed out. */
  figures: v.nullable(programFigures),
});
export type SeatOffer = v.InferOutput<typeof seatOffer>;

const keyArgs = (key: SeatKey) =>
  'code' in key ? { p_code: key.code } : { p_seat_id: key.seatId };

/** What a code or a reserved seat leads to, for anyone. Throws `rate-limited` after too many wrong codes. */
export const getSeatOffer = (db: Db, key: SeatKey): Promise<SeatOffer> =>
  rpc(db, 'get_seat_offer', seatOffer, keyArgs(key));

const taken = v.object({
  outcome: v.picklist(TAKE_OUTCOMES),
  program_id: v.optional(v.nullable(v.string())),
  seat_id: v.optional(v.string()),
});
export type Taken = v.InferOutput<typeof taken>;

/** Takes a seat for a business and agrees to the text of this version. The outcome says whether it worked. */
export const takeSeat = (
  db: Db,
  key: SeatKey,
  said: {
    businessId: string;
    consentVersion: number;
    sharesFigures: boolean;
    postalCode: string;
  },
): Promise<Taken> =>
  rpc(db, 'take_seat', taken, {
    ...keyArgs(key),
    p_business_id: said.businessId,
    p_consent_version: said.consentVersion,
    p_shares_figures: said.sharesFigures,
    ...(said.postalCode && { p_postal_code: said.postalCode }),
  });

/** Joins the waiting list of a code's program, if no seat is free. */
export const waitForSeat = (db: Db, code: string) =>
  rpc(db, 'wait_for_seat', v.object({ outcome: v.picklist(OFFER_OUTCOMES) }), { p_code: code });

export const ownSeat = v.object({
  id: v.string(),
  state: v.picklist(SEAT_STATES),
  program: v.string(),
  sponsor: v.string(),
  business: v.string(),
  sessions: v.number(),
  used: v.number(),
  ends_on: v.string(),
  activated_at: v.string(),
  /** When the owner stopped being counted. */
  withdrawn_at: v.nullable(v.string()),
  shares_figures: v.boolean(),
  has_report: v.boolean(),
  /** What they agreed to. */
  consent: v.string(),
  /** What the sponsor sees now. */
  figures: v.nullable(programFigures),
});
export type OwnSeat = v.InferOutput<typeof ownSeat>;

/** The caller's seats, newest first. */
export const listOwnSeats = (db: Db): Promise<OwnSeat[]> =>
  rpc(db, 'list_own_seats', v.array(ownSeat));

const changed = v.object({ id: v.string() });
/** Keeps the seat, and isn't counted in any new total. */
export const stopCounting = (db: Db, seatId: string) =>
  rpc(db, 'stop_counting', changed, { p_seat_id: seatId });
/** Gives up the seat with its unused sessions. */
export const leaveProgram = (db: Db, seatId: string) =>
  rpc(db, 'leave_program', changed, { p_seat_id: seatId });

/** What sponsors and admins see of a program. */
export const sponsoredEntries = {
  id: v.string(),
  name: v.string(),
  sponsor: v.string(),
  sessions: v.number(),
  starts_on: v.string(),
  ends_on: v.string(),
  state: v.string(),
  /** Whether seats can be taken. */
  open: v.boolean(),
  has_report: v.boolean(),
  groups_by: v.string(),
  postal_prefixes: v.array(v.string()),
  email_domains: v.array(v.string()),
  seats: v.object({
    all: v.number(),
    free: v.number(),
    /** Reserved or in use. */
    taken: v.number(),
    ended: v.number(),
  }),
  waiting: v.number(),
  codes: v.array(
    v.object({
      id: v.string(),
      code: v.string(),
      most: v.number(),
      used: v.number(),
      expires_at: v.nullable(v.string()),
      state: v.picklist(CODE_STATES),
    }),
  ),
  figures: v.nullable(programFigures),
  /** Each January 1 and July 1, newest first. */
  reports: v.array(v.object({ period: v.string(), made_at: v.string(), figures: programFigures })),
};
export const sponsoredProgram = v.object(sponsoredEntries);
export type SponsoredProgram = v.InferOutput<typeof sponsoredProgram>;

/** A program for its sponsors. Throws `not-found` for everyone else. */
export const getProgram = (db: Db, id: string): Promise<SponsoredProgram> =>
  rpc(db, 'get_program', sponsoredProgram, { p_id: id });

const named = v.object({ id: v.string(), name: v.string() });
/** Programs that the caller sponsors, newest first. */
export const listOwnPrograms = (db: Db) => rpc(db, 'list_own_programs', v.array(named));

/** Makes a code for some seats. @param expiresOn its last day, or '' */
export const createSeatCode = (
  db: Db,
  id: string,
  programId: string,
  said: { most: number; expiresOn: string },
) =>
  rpc(db, 'create_seat_code', sponsoredProgram, {
    p_id: id,
    p_program_id: programId,
    p_most: said.most,
    ...(said.expiresOn && { p_expires_on: said.expiresOn }),
  });

/** Ends a code; seats taken with it stay. */
export const revokeSeatCode = (db: Db, id: string) =>
  rpc(db, 'revoke_seat_code', sponsoredProgram, { p_id: id });

/** Reserves seats for owners and emails them; fewer if not enough seats are free. */
export const inviteToProgram = (db: Db, programId: string, addresses: string[], words: string) =>
  rpc(db, 'invite_to_program', v.object({ sent: v.number(), program: sponsoredProgram }), {
    p_program_id: programId,
    p_addresses: addresses,
    p_words: words,
  });
