/** What happens next with an order, for its buyer. */
import type { Order } from '#data/orders.ts';
import { ORDER_LABELS } from '#domain/order.ts';
import { calendarDayText, daysBetween, dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';

/** Days after an invoice was due from which its sessions wait for the payment: private.is_held. */
const HELD_AFTER = 15;

/** What the words depend on. */
type Shown = Pick<
  Order,
  | 'method'
  | 'state'
  | 'lines'
  | 'created_at'
  | 'quote_expires_at'
  | 'currency'
  | 'total_minor'
  | 'paid_minor'
  | 'disputed_minor'
  | 'invoice_due_on'
>;

/** What a bank's doubt about a payment means for its buyer. */
export const DISPUTED_TEXT =
  'Your payment was questioned, so the sessions it was for are on hold until your bank decides. If that was a mistake, tell your bank, or write to us.';

/** What happens next with an order that's paid by card; null once there's nothing special. */
function nextByCard({ state, disputed_minor }: Shown): string | null {
  if (disputed_minor > 0) return DISPUTED_TEXT;
  switch (state) {
    case 'draft':
    case 'expired':
      return 'It isn’t paid yet. You pay on the payment company’s page, if the price is still the same.';
    case 'pending':
      return 'It’s being paid. Money from a bank account can take a few days; a page you’ve closed can be opened again within a day. After that, today’s price counts.';
    case 'failed':
      return 'The payment didn’t go through, and nothing was charged. You can try again.';
    default:
      return null;
  }
}

/** What's owed of an invoice, by when, and what happens if it isn't paid. */
export function nextOfInvoice(
  order: Pick<Order, 'total_minor' | 'paid_minor' | 'currency' | 'invoice_due_on'>,
  today: string,
): string {
  const open = money(order.total_minor - order.paid_minor, order.currency);
  const dueOn = order.invoice_due_on ?? today;
  const late = daysBetween(dueOn, today);
  if (late <= 0) {
    return `Please pay ${open} by ${calendarDayText(dueOn)}, by check or bank transfer. Coaching doesn’t wait for it.`;
  }
  const overdue = `Please pay ${open}, by check or bank transfer. It was due on ${calendarDayText(dueOn)}.`;
  return late < HELD_AFTER
    ? `${overdue} If you’ve sent it already, you don’t have to do anything.`
    : `${overdue} Until it’s paid, no new sessions can be planned with what it bought. Those that are already planned take place.`;
}

/** What happens next, and who does it. @param today the day where the buyer is */
export function nextOf(order: Shown, timeZone: string, today: string): string {
  const byCard = order.method === 'card' ? nextByCard(order) : null;
  if (byCard) return byCard;
  const [line] = order.lines;
  switch (order.state) {
    case 'draft':
      return `You’ve asked for ${line?.quantity} × ${line?.description}. We’ll send you the quote within two business days. There’s nothing to pay yet.`;
    case 'quoted':
      return `The quote is good through ${dayText(order.quote_expires_at ?? order.created_at, timeZone)}. Print this page for your finance office, then send us your purchase order.`;
    case 'po_received':
      return 'We have your purchase order. We’ll confirm it with an invoice within two business days.';
    case 'invoiced':
      return nextOfInvoice(order, today);
    case 'paid':
      return 'It’s paid. Print this page as your receipt.';
    case 'expired':
      return 'This quote has expired. Prices may have changed; a new quote shows today’s.';
    default:
      return `${ORDER_LABELS[order.state]}.`;
  }
}
