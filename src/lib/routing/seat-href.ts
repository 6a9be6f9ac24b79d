/** Addresses of taking a seat. They carry the code, which keeps it through registering and confirming. */
import { type SeatKey, TAKE_OUTCOMES, type TakeOutcome } from '#domain/program.ts';
import { hrefFor, withNext } from './href.ts';
import { isUuid } from './uuid.ts';

/** The code or the reserved seat in a page's query or a form; null without either. */
export function seatKeyOf(fields: { get(name: string): unknown }): SeatKey | null {
  const [seatId, code] = ['seat', 'code'].map((name) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.trim() : '';
  });
  if (seatId && isUuid(seatId)) return { seatId };
  return code ? { code: code.slice(0, 60) } : null;
}

const queryOf = (key: SeatKey) =>
  'code' in key ? `code=${encodeURIComponent(key.code)}` : `seat=${key.seatId}`;

/** The page where a seat is taken. */
export const purchaseHref = (key: SeatKey): string => `${hrefFor('/purchase')}?${queryOf(key)}`;

/** The page that says why there's no seat. */
export const failureHref = (key: SeatKey, why: TakeOutcome): string =>
  `${hrefFor('/purchase/failure')}?${queryOf(key)}&why=${why}`;

/** The page of a seat that was taken. */
export const successHref = (seatId: string): string =>
  `${hrefFor('/purchase/success')}?seat=${seatId}`;

export const registerHref = (key: SeatKey): string => withNext('/register', purchaseHref(key));
export const signInHref = (key: SeatKey): string => withNext('/login', purchaseHref(key));

/** An outcome from a URL; null if it isn't one. */
export const outcomeOf = (text: string | null): TakeOutcome | null =>
  TAKE_OUTCOMES.find((outcome) => outcome === text) ?? null;
