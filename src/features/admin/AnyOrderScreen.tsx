import { type ReactNode, useState } from 'react';
import { type DeskOrder, getAnyOrder, openOrderFile } from '#data/order-desk.ts';
import { getOrderFileLink, type OrderFile } from '#data/orders.ts';
import { DESK_LABELS, METHOD_LABELS, PAYMENT_LABELS, REFUND_LABELS } from '#domain/order.ts';
import { db } from '#lib/db.ts';
import { calendarDayText, dayText, momentText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { US_STATES } from '#lib/locale/us-states.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { FileLinks } from '#ui/FileLinks.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { SessionsSection } from './businesses/SessionsSection.tsx';
import { MoneyActions } from './orders/MoneyActions.tsx';
import { actionsFor, type OrderAction } from './orders/order-actions.ts';

interface OrderProps {
  order: DeskOrder;
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

async function linkToFile(file: OrderFile): Promise<string> {
  const client = await db();
  return getOrderFileLink(client, await openOrderFile(client, file));
}

const loadReason = () => import('./ReasonDialog.tsx');
const loadQuote = () => import('./orders/QuoteDialog.tsx');
const loadPayment = () => import('./orders/PaymentDialog.tsx');

/** An order for an admin: who pays, what and how much, its steps, and what to do next. */
function AnyOrderScreen({ order: initial, timeZone, today }: OrderProps) {
  const [order, setOrder] = useState(initial);
  const [opened, setOpened] = useState<OrderAction | 'quote' | 'payment' | null>(null);
  const close = () => setOpened(null);
  const reason = useOpenedPart(loadReason, typeof opened === 'object' && opened !== null, close);
  const quote = useOpenedPart(loadQuote, opened === 'quote', close);
  const payment = useOpenedPart(loadPayment, opened === 'payment', close);

  const isOverdue = order.state === 'invoiced' && (order.invoice_due_on ?? today) < today;
  const reload = async () => setOrder(await getAnyOrder(await db(), order.id));

  async function run(action: OrderAction, why: string, answer: string) {
    try {
      setOrder(await action.run(await db(), why, answer));
    } catch (thrown) {
      throw reportError(thrown);
    }
    addToast({ tone: 'good', title: action.done });
  }
  return (
    <div className="flex flex-col gap-8">
      <header className="min-w-0">
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/orders')}>
            Orders
          </a>
        </p>
        <h1 className="wrap-anywhere">
          {order.invoice_number ?? order.quote_number ?? whatText(order)}
        </h1>
        <p className="mt-2 text-muted">
          {(order.invoice_number ?? order.quote_number) && `${whatText(order)}. `}
          {isOverdue && <span className="font-semibold text-danger">Overdue, </span>}
          {DESK_LABELS[order.state]} since {dayText(order.state_since, timeZone)},{' '}
          {METHOD_LABELS[order.method].toLowerCase()}
          {order.is_test && ', test'}
        </p>
      </header>
      <Actions order={order} onOpen={setOpened} />
      <Money order={order} timeZone={timeZone} onChange={setOrder} />
      <Facts order={order} timeZone={timeZone} />
      {order.files.length > 0 && (
        <Section id="files" title="The purchase order as a file">
          <div className="mt-3">
            <FileLinks files={order.files} linkTo={linkToFile} onError={reportError} />
          </div>
        </Section>
      )}
      {order.business && order.sessions_left && (
        <SessionsSection
          business={order.business}
          sessions={order.sessions_left}
          timeZone={timeZone}
          canGive
          onGiven={() => void reload()}
        />
      )}
      <Steps order={order} timeZone={timeZone} />
      {typeof opened === 'object' && opened && reason && (
        <reason.ReasonDialog
          action={{ ...opened, onSubmit: (why, answer) => run(opened, why, answer) }}
          onClose={close}
        />
      )}
      {opened === 'quote' && quote && (
        <quote.QuoteDialog order={order} onChange={setOrder} onClose={close} />
      )}
      {opened === 'payment' && payment && (
        <payment.PaymentDialog order={order} today={today} onChange={setOrder} onClose={close} />
      )}
    </div>
  );
}

/** What was ordered, and who it's for: "Sponsor seats for Doña Ana Care Network". */
function whatText({ lines, billing, business }: DeskOrder): string {
  const what = lines.map(({ description }) => description).join(', ') || 'Order';
  const who = billing.organization || business?.name || billing.name;
  return who ? `${what} for ${who}` : what;
}

interface ActionsProps {
  order: DeskOrder;
  onOpen: (opened: OrderAction | 'quote' | 'payment') => void;
}

function Actions({ order, onOpen }: ActionsProps) {
  const actions = actionsFor(order);
  const canQuote =
    order.method === 'purchase_order' && ['draft', 'quoted', 'expired'].includes(order.state);
  const canPay = order.state === 'invoiced';
  if (actions.length === 0 && !canQuote && !canPay) return null;
  return (
    <Section id="actions" title="What to do next">
      <div className="mt-3 flex flex-wrap gap-2">
        {canQuote && (
          <Button size="small" needsScript onClick={() => onOpen('quote')}>
            {order.quote_number ? 'Quote it again' : 'Make a quote'}
          </Button>
        )}
        {canPay && (
          <Button size="small" needsScript onClick={() => onOpen('payment')}>
            Record a payment
          </Button>
        )}
        {actions.map((action) => (
          <Button
            key={action.key}
            size="small"
            variant={variantOf(action)}
            needsScript
            onClick={() => onOpen(action)}
          >
            {action.label}
          </Button>
        ))}
      </div>
    </Section>
  );
}

const variantOf = ({ danger, key }: OrderAction) =>
  danger ? 'danger' : key === 'invoice' ? 'primary' : 'secondary';

type PartProps = Pick<OrderProps, 'order' | 'timeZone'>;

const linkTo = (href: string, text: string) => (
  <a className="link" href={href}>
    {text}
  </a>
);

function Facts({ order, timeZone }: PartProps) {
  const { billing, buyer, business } = order;
  const day = (at: string | null) => at && dayText(at, timeZone);
  const facts: [label: string, value: ReactNode][] = [
    [
      'Buyer',
      buyer
        ? linkTo(hrefFor('/admin/people/[id]', { id: buyer.id }), buyer.name ?? buyer.email)
        : 'A deleted account',
    ],
    [
      'For',
      business
        ? linkTo(hrefFor('/admin/businesses/[id]', { id: business.id }), business.name)
        : 'A group',
    ],
    ['Name', billing.name],
    ['Organization', billing.organization],
    ['Email', billing.email],
    ['Address', billing.address],
    ['State', US_STATES.find(({ value }) => value === billing.region)?.label],
    [
      'Exempt from tax',
      order.tax_exempt ? (order.quote_number ? 'Yes' : 'Yes, by their own word') : null,
    ],
    ['Note', order.note],
    ['Quote', order.quote_number],
    ['Good through', day(order.quote_expires_at)],
    ['Purchase order', order.po_number],
    ['Invoiced', day(order.invoiced_at)],
    ['Due', order.invoice_due_on && calendarDayText(order.invoice_due_on)],
    [
      'Sessions',
      order.sessions && order.sessions.given > 0
        ? `${order.sessions.used} of ${order.sessions.given} used`
        : null,
    ],
    [
      'Program',
      order.program_id &&
        linkTo(hrefFor('/admin/programs/[id]', { id: order.program_id }), 'Its seats'),
    ],
  ];
  return (
    <Section id="facts" title="Who and what for">
      <dl className="card mt-3 grid gap-x-6 gap-y-4 p-5 sm:grid-cols-2 lg:grid-cols-3">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="min-w-0">
                <dt className="text-xs text-muted">{label}</dt>
                <dd className="text-sm whitespace-pre-line wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Section>
  );
}

function Money({
  order,
  timeZone,
  onChange,
}: PartProps & { onChange: (order: DeskOrder) => void }) {
  const amount = (minor: number) => money(minor, order.currency);
  return (
    <Section id="money" title="Money">
      <ul className="card mt-3 flex flex-col gap-2 p-5 text-sm">
        {order.lines.map((line) => (
          <li key={line.description}>
            {line.description}:{' '}
            {order.state === 'draft' && line.unit_minor === 0
              ? `${line.quantity}, not quoted yet`
              : `${line.quantity} × ${amount(line.unit_minor)} = ${amount(line.amount_minor)}`}
            {line.tax_minor > 0 && `, ${line.tax_name} ${amount(line.tax_minor)}`}
          </li>
        ))}
        {(order.state !== 'draft' || order.total_minor > 0) && (
          <li className="font-semibold">
            Total {amount(order.total_minor)}, paid {amount(order.paid_minor)}
            {order.refunded_minor > 0 && `, refunded ${amount(order.refunded_minor)}`}
            {order.disputed_minor > 0 && `, disputed ${amount(order.disputed_minor)}`}
          </li>
        )}
        {order.payments.map(({ id, method, amount_minor, received_at }) => (
          <li key={id}>
            {PAYMENT_LABELS[method]} of {amount(amount_minor)}, {dayText(received_at, timeZone)}
          </li>
        ))}
        {order.refunds.map(({ amount_minor, state, at, reason }) => (
          <li key={`${at}${amount_minor}`}>
            Refund of {amount(amount_minor)}, {dayText(at, timeZone)}: {REFUND_LABELS[state]}
            {reason && `. ${reason}`}
          </li>
        ))}
        {order.membership && <li>Membership: {membershipText(order.membership, timeZone)}</li>}
      </ul>
      <MoneyActions order={order} timeZone={timeZone} onChange={onChange} />
    </Section>
  );
}

/** Where an order's membership is. */
function membershipText(
  { state, period_ends_at, ends_with_period }: NonNullable<DeskOrder['membership']>,
  timeZone: string,
): string {
  const day = period_ends_at ? dayText(period_ends_at, timeZone) : 'its period’s end';
  if (state === 'ended') return 'ended';
  if (state === 'past_due') return `the card was declined; paid through ${day} at most`;
  return ends_with_period ? `ends on ${day}` : `renews on ${day}`;
}

const BY = { system: '', buyer: ', by the buyer', staff: ', by an admin' } as const;

function Steps({ order, timeZone }: PartProps) {
  return (
    <Section id="steps" title="So far">
      <ol className="mt-3 flex flex-col gap-1 text-sm">
        {order.events.map(({ at, to_state, note, by }) => (
          <li key={`${at}${to_state}`}>
            {momentText(at, timeZone)}: {to_state === 'draft' ? 'Ordered' : DESK_LABELS[to_state]}
            {BY[by]}
            {note && `. ${note}`}
          </li>
        ))}
      </ol>
    </Section>
  );
}

export default screen(AnyOrderScreen);
