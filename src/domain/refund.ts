/** What a refund takes back, as an admin sees it before sending one. */

export const REFUND_UNITS = ['session', 'month', 'seat'] as const;

/** What a payment paid for: so many sessions, months or seats for `base_minor`. */
export interface RefundBasis {
  units: number;
  /** How many of them nobody has used or needs for a session that's booked. */
  unused: number;
  /** How many more are kept for sessions that are booked. */
  needed: number;
  base_minor: number;
  /** What of the base has gone back, or a bank is holding. */
  gone_minor: number;
  /** What can be refunded of this payment. */
  open_minor: number;
}

/**
 * How many of `of` are still paid for after `gone` of `paid` went back, as private.kept_share says: one
 * goes when its whole price does, rounded down to the cent.
 */
export function keptShare(of: number, paid: number, gone: number): number {
  if (paid <= 0) return 0;
  if (gone <= 0) return of;
  const taken = (BigInt(of) * BigInt(gone + 1) + BigInt(paid) - 1n) / BigInt(paid) - 1n;
  return Math.max(0, of - Number(taken));
}

/** The price of what nobody has used, in minor units, rounded down. */
export const refundOfUnused = ({ units, unused, base_minor, open_minor }: RefundBasis): number =>
  Math.min(open_minor, Math.floor((base_minor * unused) / units));

/** How many units a refund of this much takes back. */
export const takenBackBy = (basis: RefundBasis, amountMinor: number): number =>
  keptShare(basis.units, basis.base_minor, basis.gone_minor) -
  keptShare(basis.units, basis.base_minor, basis.gone_minor + amountMinor);
