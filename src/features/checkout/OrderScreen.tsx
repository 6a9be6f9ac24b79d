import { useState } from 'react';
import * as v from 'valibot';
import { cancelOrder, type Order, sendPurchaseOrder } from '#data/orders.ts';
import { canCancel, ORDER_LABELS } from '#domain/order.ts';
import { db } from '#lib/db.ts';
import { calendarDayText, dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { MembershipSection, PayButton } from './CardOrder.tsx';
import { OrderPaper, type Seller } from './OrderPaper.tsx';

interface OrderProps {
  order: Order;
  seller: Seller;
  timeZone: string;
}

/** An order for its buyer: what's next, the steps so far, and what they can do. */
function OrderScreen({ order: initial, seller, timeZone }: OrderProps) {
  const [order, setOrder] = useState(initial);
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <div className="flex flex-col gap-6">
      <header className="print:hidden">
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/dashboard/orders')}>
            Orders
          </a>
        </p>
        <h1 className="wrap-anywhere">
          {order.lines[0]?.description ?? 'Order'} for {order.business?.name ?? 'a group'}
        </h1>
        <p className="mt-2 text-muted">{nextOf(order, timeZone)}</p>
      </header>
      <MembershipSection order={order} timeZone={timeZone} />
      {order.state === 'quoted' && <PurchaseOrderForm order={order} onSent={setOrder} />}
      <OrderPaper order={order} seller={seller} timeZone={timeZone} />
      <Steps order={order} timeZone={timeZone} />
      <div className="flex flex-wrap gap-2 print:hidden">
        {canPayByCard(order) && <PayButton order={order} />}
        {order.state === 'expired' && order.method === 'purchase_order' && (
          <Button href={hrefFor('/dashboard/orders/new')}>Ask for a new quote</Button>
        )}
        {canCancel(order.state) && (
          <Button
            variant="secondary"
            needsScript
            onClick={() => setQuestion(cancelQuestion(order, setOrder))}
          >
            Cancel the order
          </Button>
        )}
      </div>
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </div>
  );
}

const canPayByCard = ({ method, state }: Order) =>
  method === 'card' && ['draft', 'pending', 'failed', 'expired'].includes(state);

/** What happens next with an order that's paid by card; null once there's nothing special. */
function nextByCard({ state }: Order): string | null {
  switch (state) {
    case 'draft':
    case 'expired':
      return 'It isn’t paid yet. You pay on the payment company’s page.';
    case 'pending':
      return 'It’s being paid. Money from a bank account can take a few days; a page you’ve closed can be opened again.';
    case 'failed':
      return 'The payment didn’t go through, and nothing was charged. You can try again.';
    default:
      return null;
  }
}

/** What happens next, and who does it. */
function nextOf(order: Order, timeZone: string): string {
  const byCard = order.method === 'card' ? nextByCard(order) : null;
  if (byCard) return byCard;
  const due = order.invoice_due_on ? calendarDayText(order.invoice_due_on) : '';
  const open = money(order.total_minor - order.paid_minor, order.currency);
  switch (order.state) {
    case 'draft':
      return 'We’ll send you the quote within two business days. There’s nothing to pay yet.';
    case 'quoted':
      return `The quote is good through ${dayText(order.quote_expires_at ?? order.created_at, timeZone)}. Print this page for your finance office, then send us the number of your purchase order.`;
    case 'po_received':
      return 'We have your purchase order. We’ll confirm it with an invoice within two business days.';
    case 'invoiced':
      return `Please pay ${open} by ${due}, by check or bank transfer. Coaching doesn’t wait for it.`;
    case 'paid':
      return 'It’s paid. Print this page as your receipt.';
    case 'expired':
      return 'This quote has expired. Prices may have changed, so ask for a new one.';
    default:
      return `${ORDER_LABELS[order.state]}.`;
  }
}

const numberSchema = v.object({
  poNumber: v.pipe(textUpTo(60), v.minLength(1, 'Enter the number of your purchase order.')),
});

function PurchaseOrderForm({ order, onSent }: { order: Order; onSent: (order: Order) => void }) {
  const fields = useSchemaForm(
    numberSchema,
    async ({ poNumber }) => {
      onSent(await sendPurchaseOrder(await db(), order.id, poNumber));
      addToast({ tone: 'good', title: 'We have your purchase order.' });
    },
    { guarded: true, onError: reportError, defaults: { poNumber: '' } },
  );
  return (
    <Section id="purchase-order" title="Your purchase order" className="card p-5 print:hidden">
      <Form
        of={fields}
        submit="Send the purchase order"
        size="small"
        className="mt-3 items-start gap-4"
      >
        <Field
          label="Purchase order number"
          hint={`It should cite our quote number, ${order.quote_number ?? ''}.`}
          {...fields.field('poNumber')}
        />
      </Form>
    </Section>
  );
}

const cancelQuestion = (order: Order, onCanceled: (order: Order) => void): Question => ({
  title: 'Cancel this order?',
  text: 'You owe nothing for it. You can place another one at any time.',
  yes: 'Cancel the order',
  no: 'Keep it',
  danger: true,
  act: async () => {
    onCanceled(await cancelOrder(await db(), order.id));
    addToast({ tone: 'good', title: 'The order is canceled.' });
  },
});

const BY = { system: '', buyer: ', by you', staff: ', by us' } as const;

function Steps({ order, timeZone }: Pick<OrderProps, 'order' | 'timeZone'>) {
  return (
    <Section id="steps" title="So far" className="print:hidden">
      <ol className="mt-3 flex flex-col gap-1 text-sm">
        {order.events.map(({ at, to_state, note, by }) => (
          <li key={`${at}${to_state}`}>
            {dayText(at, timeZone)}: {to_state === 'draft' ? 'Ordered' : ORDER_LABELS[to_state]}
            {BY[by]}
            {note && `. ${note}`}
          </li>
        ))}
      </ol>
    </Section>
  );
}

export default screen(OrderScreen);
