import type { Membership } from '#data/memberships.ts';
import type { ListedOrder } from '#data/orders.ts';
import type { ListPage } from '#domain/list.ts';
import { ORDER_LABELS, type OwnOrderFilter, ownOrderFilter } from '#domain/order.ts';
import { dayText, shortCalendarDayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { membershipText } from './membership-text.ts';

interface OrdersProps {
  filter: OwnOrderFilter;
  page: ListPage<ListedOrder>;
  memberships: Membership[];
  timeZone: string;
}

/** What someone bought, newest first. Rendered on the server only; it needs no scripts. */
function OrdersScreen({ page, memberships, timeZone }: OrdersProps) {
  const hrefOf = (place: OwnOrderFilter['place']) =>
    `${hrefFor('/dashboard/orders')}${ownOrderFilter.write({ place })}`;
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1>Orders</h1>
        {page.rows.length > 0 && (
          <Button href={hrefFor('/dashboard/orders/new')} variant="secondary">
            Buy sessions
          </Button>
        )}
      </header>
      {memberships.length > 0 && (
        <ul className="flex flex-col gap-3">
          {memberships.map((membership) => (
            <MembershipRow key={membership.order_id} membership={membership} timeZone={timeZone} />
          ))}
        </ul>
      )}
      {page.rows.length === 0 ? (
        <EmptyState
          title="No orders yet"
          action={<Button href={hrefFor('/pricing')}>See the prices</Button>}
        >
          Quotes, invoices and receipts will show up here.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {page.rows.map((order) => (
            <Row key={order.id} order={order} timeZone={timeZone} />
          ))}
        </ul>
      )}
      {(page.previous || page.next) && (
        <nav aria-label="Pages" className="flex gap-3">
          {page.previous && (
            <Button href={hrefOf(page.previous)} variant="secondary" size="small">
              Newer
            </Button>
          )}
          {page.next && (
            <Button href={hrefOf(page.next)} variant="secondary" size="small">
              Older
            </Button>
          )}
        </nav>
      )}
    </div>
  );
}

function MembershipRow({ membership, timeZone }: { membership: Membership; timeZone: string }) {
  const { order_id: id, business, sessions_left: left, is_own: isOwn } = membership;
  return (
    <li className="card flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-leaf p-5">
      <div className="min-w-0">
        <h2 className="text-lg wrap-anywhere">Membership for {business.name}</h2>
        <p className="mt-1">{membershipText(membership, timeZone)}</p>
        <p className="text-sm text-muted">
          {left === 1 ? 'One session is left.' : `${wholeText(left)} sessions are left.`}
          {!isOwn && ' Someone else pays for it.'}
          {membership.is_test && ' Test: no card is charged.'}
        </p>
      </div>
      {isOwn && (
        <Button
          href={hrefFor('/dashboard/orders/[id]', { id })}
          variant={membership.state === 'past_due' ? 'primary' : 'secondary'}
          size="small"
        >
          {membership.state === 'past_due' ? 'Enter another card' : 'Manage'}
        </Button>
      )}
    </li>
  );
}

function Row({ order, timeZone }: { order: ListedOrder; timeZone: string }) {
  const number = order.invoice_number ?? order.quote_number;
  return (
    <li className="card flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 p-4">
      <div className="min-w-0">
        <a
          className="link font-semibold wrap-anywhere"
          href={hrefFor('/dashboard/orders/[id]', { id: order.id })}
        >
          {order.what ?? 'Order'} for {order.business ?? 'a group'}
        </a>
        <p className="text-sm text-muted">
          {number ? `${number}, ordered ` : 'Ordered '}
          {dayText(order.created_at, timeZone)}
        </p>
      </div>
      <p className="text-sm">
        {order.overdue ? 'Overdue' : ORDER_LABELS[order.state]}
        {order.state === 'invoiced' &&
          order.invoice_due_on &&
          `, due ${shortCalendarDayText(order.invoice_due_on)}`}
        {order.total_minor > 0 && `, ${money(order.total_minor, order.currency)}`}
        {order.is_test && ', test'}
      </p>
    </li>
  );
}

export default screen(OrdersScreen);
