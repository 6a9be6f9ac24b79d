/** What the refund dialog says about a payment. */
import type { RefundablePayment } from '#data/refunds.ts';
import { takenBackBy } from '#domain/refund.ts';
import { money } from '#lib/locale/money.ts';

type Refundable = Pick<
  RefundablePayment,
  'method' | 'unit' | 'units' | 'unused' | 'needed' | 'base_minor' | 'gone_minor' | 'open_minor'
>;

/** What's left of the payment and of what it paid for. */
export function refundableText(payment: Refundable, currency: string): string {
  const { units, unused, needed, unit } = payment;
  const left = unit === 'month' ? 'Not started' : 'Unused';
  const kept =
    needed === 0 ? '' : ` ${needed} more ${needed === 1 ? 'is' : 'are'} kept for booked sessions.`;
  return `${money(payment.open_minor, currency)} can be refunded. ${left}: ${unused} of ${units} ${unit}${units === 1 ? '' : 's'}.${kept} ${
    payment.method === 'card'
      ? 'It goes back to the card.'
      : 'Send the money first: this records it.'
  }`;
}

/** What a refund of this much takes back, besides the money. */
export function withdrawnText(payment: Refundable, minor: number): string {
  if (minor <= 0 || minor > payment.open_minor) return '';
  const count = takenBackBy(payment, minor);
  const { unit, unused, needed } = payment;
  if (count === 0) return `This withdraws no ${unit}: none costs this little.`;
  const text = `This withdraws ${count} ${unit}${count === 1 ? '' : 's'}`;
  if (count <= unused) return `${text}, all unused.`;
  const booked = Math.min(count - unused, needed);
  const used = count - unused - booked;
  if (booked > 0) {
    const gone =
      used === 0 ? '' : unit === 'month' ? `, and ${used} started` : `, and ${used} used`;
    return `${text}, ${booked} of which ${booked === 1 ? 'is' : 'are'} kept for booked sessions${gone}. Those sessions stay booked, and take place without a payment. Ask the coach to cancel them if they shouldn’t.`;
  }
  return unit === 'month'
    ? `${text}, ${used} of which ${used === 1 ? 'has' : 'have'} started.`
    : `${text}, ${used} of which ${used === 1 ? 'was' : 'were'} already used.`;
}
