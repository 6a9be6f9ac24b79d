/** The form that takes a seat, posted by a browser with or without scripts. */
import { toAppError } from '#lib/errors.ts';
import {
  failureHref,
  purchaseHref,
  seatKeyOf,
  signInHref,
  successHref,
} from '#lib/routing/seat-href.ts';
import { isUuid } from '#lib/routing/uuid.ts';
import type { Db } from '#lib/supabase.ts';
import { takeSeat, waitForSeat } from './programs.ts';

/** Where the form leads, or what to say above it. */
export type SeatFormAnswer = { to: string } | { problem: string };

/** The form in a request; an empty one if there's none that can be read. */
export const readSeatForm = (request: Request): Promise<FormData> =>
  request.formData().catch(() => new FormData());

const textOf = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

/**
 * Takes a seat or joins the waiting list. Another site's form changes nothing: browsers don't send
 * the session's cookie with it, so it's only asked to sign in.
 */
export async function answerSeatForm(
  db: Db,
  form: FormData,
  isSignedIn: boolean,
): Promise<SeatFormAnswer> {
  const key = seatKeyOf(form);
  if (!key) return { problem: 'Enter your code.' };
  if (!isSignedIn) return { to: signInHref(key) };
  try {
    if ('code' in key && textOf(form, 'wait') !== '') {
      const { outcome } = await waitForSeat(db, key.code);
      return { to: outcome === 'open' ? purchaseHref(key) : failureHref(key, outcome) };
    }
    const businessId = textOf(form, 'business');
    if (!isUuid(businessId)) return { problem: 'Choose a business.' };
    if (textOf(form, 'agree') === '') return { problem: 'Agree to the text to take the seat.' };
    const { outcome, seat_id } = await takeSeat(db, key, {
      businessId,
      consentVersion: Number(textOf(form, 'version')) || 0,
      sharesFigures: textOf(form, 'figures') !== '',
      postalCode: textOf(form, 'postal_code').trim(),
    });
    return { to: seat_id ? successHref(seat_id) : failureHref(key, outcome) };
  } catch (thrown) {
    return { problem: toAppError(thrown).message };
  }
}
