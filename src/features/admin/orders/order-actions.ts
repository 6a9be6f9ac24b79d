/** What an admin does with an order by giving a reason. */
import { type DeskOrder, invoiceOrder, recordPurchaseOrder, voidOrder } from '#data/order-desk.ts';
import type { OrderState } from '#domain/order.ts';
import type { Db } from '#lib/supabase.ts';
import type { ReasonedAction } from '../ReasonDialog.tsx';

export interface OrderAction extends Omit<ReasonedAction, 'onSubmit'> {
  key: string;
  label: string;
  done: string;
  run: (db: Db, reason: string, answer: string) => Promise<DeskOrder>;
}

/** The states in which an admin can cancel, if nothing was paid. */
const CANCELABLE: readonly OrderState[] = [
  'draft',
  'quoted',
  'expired',
  'failed',
  'po_received',
  'invoiced',
];

const purchaseOrder = ({ id }: DeskOrder): OrderAction => ({
  key: 'purchase-order',
  label: 'Record a purchase order',
  title: 'Record a purchase order?',
  description: 'For one that came by email or on paper.',
  action: 'Record it',
  words: { label: 'Its number', hint: 'The invoice cites it.', most: 60 },
  done: 'The purchase order is recorded.',
  run: (db, reason, number) => recordPurchaseOrder(db, id, number, reason),
});

const invoice = ({ id, po_number }: DeskOrder): OrderAction => ({
  key: 'invoice',
  label: 'Send the invoice',
  title: 'Send the invoice?',
  description: `It confirms purchase order ${po_number ?? ''} and is due in 30 days. The sessions or seats can be used right away.`,
  action: 'Send the invoice',
  done: 'The invoice is on its way.',
  run: (db, reason) => invoiceOrder(db, id, reason),
});

const cancel = ({ id, state }: DeskOrder): OrderAction => {
  const isInvoice = state === 'invoiced';
  return {
    key: 'cancel',
    label: isInvoice ? 'Void the invoice' : 'Cancel the order',
    title: isInvoice ? 'Void this invoice?' : 'Cancel this order?',
    description: 'Unused sessions and seats end.',
    reasonReader: 'The buyer',
    action: isInvoice ? 'Void the invoice' : 'Cancel the order',
    danger: true,
    done: isInvoice ? 'The invoice is void.' : 'The order is canceled.',
    run: (db, reason) => voidOrder(db, id, reason),
  };
};

/** What can be done with an order now. */
export const actionsFor = (order: DeskOrder): OrderAction[] => [
  ...(order.state === 'quoted' ? [purchaseOrder(order)] : []),
  ...(order.state === 'po_received' ? [invoice(order)] : []),
  ...(CANCELABLE.includes(order.state) && order.paid_minor === 0 ? [cancel(order)] : []),
];
