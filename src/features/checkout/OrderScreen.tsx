import { useState } from 'react';
import { cancelOrder, getOrderFileLink, type Order, requestQuote } from '#data/orders.ts';
import { canCancel, ORDER_LABELS } from '#domain/order.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { FileLinks } from '#ui/FileLinks.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { MembershipSection, PayButton } from './CardOrder.tsx';
import { nextOf } from './next-step.ts';
import { OrderPaper, type Seller } from './OrderPaper.tsx';
import { PurchaseOrderForm } from './PurchaseOrderForm.tsx';

interface OrderProps {
  order: Order;
  seller: Seller;
  timeZone: string;
  /** The day where the buyer is. */
  today: string;
}

/** An order for its buyer: what's next, the steps so far, and what they can do. */
function OrderScreen({ order: initial, seller, timeZone, today }: OrderProps) {
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
        <p className="mt-2 text-muted">{nextOf(order, timeZone, today)}</p>
        {order.sessions && order.sessions.given > 0 && (
          <p className="mt-2">{leftOf(order.sessions, timeZone)}</p>
        )}
        {order.state === 'expired' && order.method === 'purchase_order' && (
          <NewQuote order={order} onQuoted={setOrder} />
        )}
      </header>
      <MembershipSection order={order} timeZone={timeZone} />
      {takesPurchaseOrder(order) && <PurchaseOrderForm order={order} onSent={setOrder} />}
      <OrderPaper order={order} seller={seller} timeZone={timeZone} />
      {order.files.length > 0 && (
        <Section id="files" title="Your purchase order as a file" className="print:hidden">
          <div className="mt-3">
            <FileLinks
              files={order.files}
              linkTo={async (file) => getOrderFileLink(await db(), file)}
              onError={reportError}
            />
          </div>
        </Section>
      )}
      <Steps order={order} timeZone={timeZone} />
      <div className="flex flex-wrap gap-2 print:hidden">
        {canPayByCard(order) && <PayButton order={order} />}
        <Button variant="secondary" needsScript onClick={() => print()}>
          Print
        </Button>
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

/** Whether the buyer can send a purchase order, or its file after its number. */
const takesPurchaseOrder = ({ state, files }: Order) =>
  state === 'quoted' || (state === 'po_received' && files.length === 0);

/** How much of what was bought is left. */
function leftOf({ given, used, ends_at }: NonNullable<Order['sessions']>, timeZone: string) {
  const left = Math.max(given - used, 0);
  return `${left} of ${given} ${given === 1 ? 'session' : 'sessions'} left${
    ends_at ? `, good until ${dayText(ends_at, timeZone)}` : ''
  }.`;
}

/** Asks for an expired quote again. Says so if it has become another price. */
function NewQuote({ order, onQuoted }: { order: Order; onQuoted: (order: Order) => void }) {
  const { pending, failure, run } = useAction(reportError);
  const ask = () =>
    run(async () => {
      const quoted = await requestQuote(await db(), order.id);
      addToast({ tone: 'good', title: quotedText(order, quoted) });
      onQuoted(quoted);
    });
  return (
    <>
      <Button className="mt-3" needsScript pending={pending} onClick={() => void ask()}>
        Ask for a new quote
      </Button>
      <FailureLine failure={failure} />
    </>
  );
}

function quotedText(before: Order, { state, currency, total_minor }: Order): string {
  if (state === 'draft') return 'We’ll send you a new quote within two business days.';
  return total_minor === before.total_minor
    ? `Your new quote is ready. The price is still ${money(total_minor, currency)}.`
    : `Your new quote is ready. It was ${money(before.total_minor, currency)}, and it’s ${money(total_minor, currency)} now.`;
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

type Step = Order['events'][number];

/** What happened at a step, as a sentence to the buyer. */
function stepText({ from_state, to_state, by }: Step): string {
  const you = by === 'buyer';
  switch (to_state) {
    case 'draft':
      return from_state === null ? 'You ordered' : 'You asked for a new quote';
    case 'pending':
      return 'You started to pay';
    case 'quoted':
      return 'We made your quote';
    case 'po_received':
      return you ? 'You sent your purchase order' : 'We received your purchase order';
    case 'invoiced':
      return 'We sent the invoice';
    case 'paid':
      return 'We received your payment';
    case 'part_refunded':
      return 'We refunded a part of it';
    case 'refunded':
      return 'We refunded it';
    case 'canceled':
      return you ? 'You canceled the order' : 'We canceled the order';
    default:
      return ORDER_LABELS[to_state];
  }
}

function Steps({ order, timeZone }: Pick<OrderProps, 'order' | 'timeZone'>) {
  return (
    <Section id="steps" title="So far" className="print:hidden">
      <ol className="mt-3 flex flex-col gap-1 text-sm">
        {order.events.map((step) => (
          <li key={`${step.at}${step.to_state}`}>
            {dayText(step.at, timeZone)}: {stepText(step)}
            {step.note && `. ${step.note}`}
          </li>
        ))}
      </ol>
    </Section>
  );
}

export default screen(OrderScreen);
