import type { Order } from '#data/orders.ts';
import { PAYMENT_LABELS, PERIOD_RHYTHM } from '#domain/order.ts';
import { calendarDayText, dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';

/** The organization on quotes, invoices and receipts. */
export interface Seller {
  name: string;
  address: string;
  email: string;
}

interface PaperProps {
  order: Order;
  seller: Seller;
  timeZone: string;
}

const isPaid = ({ payments, paid_minor, total_minor }: Order) =>
  payments.length > 0 && paid_minor >= total_minor;

/** Which paper an order is now; null while there's none. */
function paperOf(order: Order) {
  if (isPaid(order)) return 'Receipt';
  if (order.invoice_number) return order.state === 'canceled' ? 'Void invoice' : 'Invoice';
  return order.quote_number ? 'Quote' : null;
}

/** A quote, an invoice or a receipt, as it prints on one page. It needs no scripts. */
export function OrderPaper({ order, seller, timeZone }: PaperProps) {
  const paper = paperOf(order);
  if (!paper) return null;
  const { billing } = order;
  const payer = [billing.name, billing.organization, billing.address, billing.email];
  return (
    <article className="card flex flex-col gap-6 p-4 text-sm sm:p-6 print:border-0 print:p-0 print:text-black">
      <header className="flex flex-wrap justify-between gap-6">
        <div className="min-w-0">
          <h2 className="text-xl">
            {paper} {order.invoice_number ?? order.quote_number}
          </h2>
          {order.is_test && <p className="font-semibold">Test: nothing was charged</p>}
          <p className="mt-2 font-semibold">{seller.name}</p>
          <p className="whitespace-pre-line">{`${seller.address}\n${seller.email}`}</p>
        </div>
        <dl className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1">
          {datesOf(order, timeZone).map(([label, value]) => (
            <div key={label} className="contents">
              <dt>{label}</dt>
              <dd className="text-right whitespace-nowrap">{value}</dd>
            </div>
          ))}
        </dl>
      </header>
      <div>
        <h3 className="text-sm font-semibold">For</h3>
        <p className="whitespace-pre-line wrap-anywhere">{payer.filter(Boolean).join('\n')}</p>
      </div>
      <Lines order={order} timeZone={timeZone} />
      <p>
        {paper === 'Receipt'
          ? `Thank you. ${REFUND_TERMS[order.lines[0]?.every ?? 'once']}`
          : 'Quotes are good for 60 days. Invoices are due in 30 days, by check or bank transfer. Please cite the number above.'}
      </p>
    </article>
  );
}

/** What's promised of money back, by how often it's paid. */
const REFUND_TERMS: Record<keyof typeof PERIOD_RHYTHM, string> = {
  once: 'Unused sessions are refunded at the price you paid, within 12 months.',
  month: 'You can cancel any month, and pay nothing after it.',
  year: 'If you cancel, we refund the months that haven’t started.',
};

function datesOf(order: Order, timeZone: string): [label: string, value: string][] {
  const day = (at: string | null) => (at ? dayText(at, timeZone) : null);
  const rows: [label: string, value: string | null][] = [
    ['Quote', order.quote_number],
    ['Quoted', day(order.quoted_at)],
    ['Good through', order.invoice_number ? null : day(order.quote_expires_at)],
    ['Your purchase order', order.po_number],
    ['Invoiced', day(order.invoiced_at)],
    ['Due', order.invoice_due_on && calendarDayText(order.invoice_due_on)],
    ['Paid', isPaid(order) ? day(order.payments.at(-1)?.received_at ?? null) : null],
  ];
  return rows.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []));
}

function Lines({ order, timeZone }: Pick<PaperProps, 'order' | 'timeZone'>) {
  const amount = (minor: number) => money(minor, order.currency, true);
  const taxes = order.lines.filter(({ tax_minor }) => tax_minor > 0);
  const sums: [label: string, minor: number][] = [
    ['Before tax', order.subtotal_minor],
    ...(taxes.length > 0 ? [[taxText(taxes), order.tax_minor] as [string, number]] : []),
    [`Total${PERIOD_RHYTHM[order.lines[0]?.every ?? 'once']}`, order.total_minor],
    ...order.payments.map(
      (payment) => [paidText(payment, timeZone), -payment.amount_minor] as [string, number],
    ),
    ...(order.refunded_minor > 0
      ? [['Went back to you', order.refunded_minor] as [string, number]]
      : []),
    ...(order.state === 'invoiced' && order.paid_minor > 0
      ? [['Still to pay', order.total_minor - order.paid_minor] as [string, number]]
      : []),
  ];
  return (
    <table className="w-full text-left">
      <thead>
        <tr className="border-b border-line">
          <th scope="col" className="py-2">
            What
          </th>
          <th scope="col" className="py-2 pl-3 text-right">
            How many
          </th>
          <th scope="col" className="py-2 pl-3 text-right">
            Each
          </th>
          <th scope="col" className="py-2 pl-3 text-right">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {order.lines.map((line) => (
          <tr key={line.description} className="border-b border-line">
            <th scope="row" className="py-2 font-normal wrap-anywhere">
              {line.description}
            </th>
            <td className="py-2 pl-3 text-right tabular-nums">{line.quantity}</td>
            <td className="py-2 pl-3 text-right tabular-nums">{amount(line.unit_minor)}</td>
            <td className="py-2 pl-3 text-right tabular-nums">{amount(line.amount_minor)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([label, minor], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two payments can be the same
          <tr key={index}>
            <th scope="row" colSpan={3} className="py-1 text-right font-normal">
              {label}
            </th>
            <td className="py-1 pl-3 text-right font-semibold whitespace-nowrap tabular-nums">
              {amount(minor)}
            </td>
          </tr>
        ))}
      </tfoot>
    </table>
  );
}

/** "Paid on November 25, 2026: card", and for a membership ", through December 25, 2026" */
function paidText(payment: Order['payments'][number], timeZone: string) {
  const { method, received_at, period_ends_at } = payment;
  const until = period_ends_at ? `, through ${dayText(period_ends_at, timeZone)}` : '';
  return `Paid on ${dayText(received_at, timeZone)}: ${PAYMENT_LABELS[method].toLowerCase()}${until}`;
}

/** "New Mexico gross receipts tax, 4.875%" */
const taxText = ([line]: Order['lines']) =>
  line ? `${line.tax_name}, ${Number((line.tax_rate * 100).toFixed(4))}%` : '';
