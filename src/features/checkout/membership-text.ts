import type { Order } from '#data/orders.ts';
import { PERIOD_RHYTHM } from '#domain/order.ts';
import { dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';

interface Renewing extends NonNullable<Order['membership']> {
  every: keyof typeof PERIOD_RHYTHM;
  total_minor: number;
  currency: string;
}

/** Where a membership is, and what its card pays next. */
export function membershipText(membership: Renewing, timeZone: string): string {
  const { state, every, period_ends_at: end } = membership;
  const day = end ? dayText(end, timeZone) : 'the end of its period';
  const price = `${money(membership.total_minor, membership.currency)}${PERIOD_RHYTHM[every]}`;
  if (state === 'ended') return 'It has ended, and your card isn’t charged anymore.';
  if (state === 'past_due') {
    return `Your card was declined for ${price}. We’ll try it again over the next days, or you can enter another one.`;
  }
  return membership.ends_with_period
    ? `It ends on ${day}, and your card isn’t charged again.`
    : `It renews on ${day} for ${price}.`;
}
