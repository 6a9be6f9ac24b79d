import type { OrderState } from '#domain/order.ts';

/** Where someone comes from: the payment page's end, or its way back. */
export type Return = 'success' | 'cancel';

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
  text: 'Nothing was charged. Your order is kept, and you can pay it whenever you like.',
  canPay: true,
};

/** What to tell a buyer about an order, for each state and way back. */
export function checkoutWords(state: OrderState, from: Return): Words {
  switch (state) {
    case 'paid':
      return PAID;
    case 'pending':
      return from === 'success'
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
        text: 'It closes after a day, and nothing was charged. You can open a new one.',
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
        title: 'Part of this order was refunded',
        text: 'The rest stays yours to use. It can take a card up to ten days to show a refund.',
        canPay: false,
      };
    case 'refunded':
      return {
        title: 'This order was refunded',
        text: 'It can take a card up to ten days to show a refund.',
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
