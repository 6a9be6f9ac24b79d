import type { ListedOrder } from '#data/orders.ts';
import { stateTextOf } from '#domain/order.ts';
import { dayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { hrefFor } from '#lib/routing/href.ts';

interface OrdersProps {
  orders: readonly ListedOrder[];
  timeZone: string;
  /** Whose name each line has: on a business's page its buyer, on a person's page the business. */
  name: 'buyer' | 'business';
}

/** The latest orders of a business or a person, on their page. */
export function LatestOrders({ orders, timeZone, name }: OrdersProps) {
  return (
    <ul className="flex flex-col divide-y divide-line card text-sm">
      {orders.map((order) => (
        <li key={order.id} className="flex flex-wrap gap-x-4 gap-y-1 px-5 py-3">
          <span className="min-w-0 grow basis-60 wrap-anywhere">
            <a className="link" href={hrefFor('/admin/orders/[id]', { id: order.id })}>
              {order.what ?? 'Order'} {order.invoice_number ?? order.quote_number}
            </a>{' '}
            {name === 'buyer'
              ? `by ${order.buyer ?? 'a deleted account'}`
              : `for ${order.business ?? 'a group'}`}
          </span>
          <span className="text-muted">
            {money(order.total_minor, order.currency)}
            {order.is_test && ' (test)'} · {stateTextOf(order)}, ordered on{' '}
            {dayText(order.created_at, timeZone)}
          </span>
        </li>
      ))}
    </ul>
  );
}
