import type { CheckoutProgress } from '#data/checkout-return.ts';
import type { Order } from '#data/orders.ts';
import { dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { DISPUTED_TEXT, nextOfInvoice } from './next-step.ts';

interface Words {
  title: string;
  text: string;
  /** Whether it can be paid from here. */
  canPay: boolean;
}

const PAID: Words = {
  title: 'Your order is paid',
  text: 'Thank you. We’ve sent you a note of it by email. Next, ask for a coach or book your session.',
  canPay: false,
};
const NOT_PAID: Words = {
  title: 'Your order isn’t paid',
  text: 'Nothing was charged. Your order is kept, and you can pay it later, unless the price changes.',
  canPay: true,
};

const DISPUTED: Words = {
  title: 'Your bank is looking into your payment',
  text: DISPUTED_TEXT,
  canPay: false,
};

/** What to tell a buyer about an order. */
export function checkoutWords({ state, isProcessing, isDisputed }: CheckoutProgress): Words {
  if (isDisputed) return DISPUTED;
  switch (state) {
    case 'paid':
      return PAID;
    case 'pending':
      return isProcessing
        ? {
            title: 'We’re waiting for the bank',
            text: 'Your payment is on its way. A payment from a bank account can take a few days. We’ll email you as soon as it’s here, and this page shows it too.',
            canPay: false,
          }
        : NOT_PAID;
    case 'draft':
      return NOT_PAID;
    case 'failed':
      return {
        title: 'The payment didn’t go through',
        text: 'Nothing was charged. You can try again, with the same card or another one.',
        canPay: true,
      };
    case 'expired':
      return {
        title: 'The payment page was open too long',
        text: 'It closes after a day, and nothing was charged. You can open a new one, unless the price has changed since.',
        canPay: true,
      };
    case 'canceled':
      return {
        title: 'This order was canceled',
        text: 'Nothing is due. If you still want it, choose a plan again.',
        canPay: false,
      };
    case 'part_refunded':
      return {
        title: 'Part of your payment went back to you',
        text: 'What’s still paid for stays yours to use. It can take a card up to ten days to show a refund.',
        canPay: false,
      };
    case 'refunded':
      return {
        title: 'Your payment went back to you',
        text: 'Unused sessions that it was for have ended. It can take a card up to ten days to show a refund.',
        canPay: false,
      };
    case 'quoted':
    case 'po_received':
    case 'invoiced':
      return {
        title: 'This order is paid by invoice',
        text: 'There’s nothing to pay by card.',
        canPay: false,
      };
  }
}

/** What the words about a purchase depend on. */
export type Purchase = Pick<
  Order,
  | 'state'
  | 'business'
  | 'total_minor'
  | 'paid_minor'
  | 'currency'
  | 'created_at'
  | 'quote_number'
  | 'quote_expires_at'
  | 'invoice_number'
  | 'invoice_due_on'
>;

/**
 * What to tell a buyer about an order that's paid by purchase order, and what comes next.
 * @param today the day where the buyer is
 */
export function purchaseWords(
  order: Purchase,
  timeZone: string,
  today: string,
): Omit<Words, 'canPay'> {
  const total = money(order.total_minor, order.currency);
  const until = dayText(order.quote_expires_at ?? order.created_at, timeZone);
  const isForGroup = order.business === null;
  switch (order.state) {
    case 'draft':
      return {
        title: 'We’re preparing your quote',
        text: 'You’ll have it within two business days, by email and with your orders. There’s nothing to pay yet.',
      };
    case 'quoted':
      return {
        title: `Your quote ${order.quote_number} is ready`,
        text: `It’s ${total}, and good through ${until}. Print it for your finance office, and then send us the number of your purchase order.`,
      };
    case 'po_received':
      return {
        title: 'We have your purchase order',
        text: `We’ll confirm it with an invoice within two business days. ${isForGroup ? 'You can hand out the seats then.' : 'Coaching starts then.'}`,
      };
    case 'invoiced':
      return {
        title: `Your invoice ${order.invoice_number} is ready`,
        text: nextOfInvoice(order, today),
      };
    case 'paid':
      return {
        title: 'Your order is paid',
        text: `Thank you. Your receipt is with your orders. Next, ${isForGroup ? 'hand out the seats.' : 'ask for a coach or book a session.'}`,
      };
    case 'part_refunded':
      return {
        title: 'Part of your payment went back to you',
        text: 'What’s still paid for stays yours to use.',
      };
    case 'refunded':
      return {
        title: 'Your payment went back to you',
        text: 'Unused sessions and seats that it was for have ended.',
      };
    case 'expired':
      return {
        title: 'Your quote has expired',
        text: 'You owe nothing. Prices may have changed since, so ask for a new one on your order’s page.',
      };
    case 'canceled':
      return {
        title: 'This order was canceled',
        text: 'You owe nothing for it. If you still want it, ask for a new quote.',
      };
    case 'pending':
    case 'failed':
      return { title: 'This order is paid by card', text: 'How far it is shows on its own page.' };
  }
}
