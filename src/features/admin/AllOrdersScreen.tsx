import { useMemo } from 'react';
import { listAllOrders } from '#data/order-desk.ts';
import type { ListedOrder } from '#data/orders.ts';
import type { ListPage } from '#domain/list.ts';
import {
  DESK_LABELS,
  METHOD_LABELS,
  ORDER_METHODS,
  ORDER_STATES,
  type OrderFilter,
  orderFilter,
  stateTextOf,
} from '#domain/order.ts';
import { shortCalendarDayText, shortDayText } from '#lib/locale/dates.ts';
import { money } from '#lib/locale/money.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface OrdersProps {
  filter: OrderFilter;
  page: ListPage<ListedOrder>;
  /** The reader's IANA time zone. */
  timeZone: string;
}

const nameOf = ({ buyer }: ListedOrder) => buyer ?? 'A deleted account';

const columnsIn = (timeZone: string): DataColumn<ListedOrder>[] => [
  {
    id: 'buyer',
    header: 'Buyer',
    isRowHeader: true,
    cell: (order) => (
      <>
        <a className="link wrap-anywhere" href={hrefFor('/admin/orders/[id]', { id: order.id })}>
          {nameOf(order)}
        </a>
        <span className="block text-sm font-normal text-muted wrap-anywhere">
          {order.what ?? 'Order'} for {order.business ?? 'a group'}
        </span>
      </>
    ),
    csv: nameOf,
  },
  { id: 'email', header: 'Email', csv: ({ email }) => email },
  { id: 'what', header: 'What', csv: ({ what }) => what },
  {
    id: 'number',
    header: 'Number',
    none: 'No number yet',
    breaks: 'never',
    onCard: 'bare',
    cell: ({ invoice_number, quote_number }) => invoice_number ?? quote_number,
    csv: ({ invoice_number, quote_number }) => invoice_number ?? quote_number,
  },
  {
    id: 'state',
    header: 'State',
    onCard: 'bare',
    cell: (order) =>
      order.overdue ? (
        <>
          <span className="font-medium text-danger">{stateTextOf(order)}</span>
          {order.invoice_due_on && (
            <span className="text-danger md:block md:text-xs">
              {' since '}
              {shortCalendarDayText(order.invoice_due_on)}
            </span>
          )}
        </>
      ) : (
        stateTextOf(order)
      ),
    csv: stateTextOf,
  },
  {
    id: 'total',
    header: 'Total',
    align: 'right',
    cell: ({ total_minor, currency, is_test, state }) =>
      // Until an admin quotes it, nobody knows its price.
      state === 'draft' && total_minor === 0
        ? '–'
        : `${money(total_minor, currency)}${is_test ? ' (test)' : ''}`,
    csv: ({ total_minor }) => total_minor / 100,
  },
  {
    id: 'open',
    header: 'Paid',
    align: 'right',
    from: 'wide',
    none: 'Nothing',
    cell: ({ paid_minor, currency }) => paid_minor > 0 && money(paid_minor, currency),
    csv: ({ paid_minor }) => paid_minor / 100,
  },
  {
    id: 'due',
    header: 'Due',
    none: 'No invoice open',
    breaks: 'never',
    from: 'wide',
    cell: ({ state, invoice_due_on, overdue }) =>
      state === 'invoiced' && !overdue && invoice_due_on && shortCalendarDayText(invoice_due_on),
    csv: ({ invoice_due_on }) => invoice_due_on,
  },
  {
    id: 'created',
    header: 'Ordered',
    sort: { ascending: 'oldest', descending: 'newest' },
    breaks: 'never',
    cell: ({ created_at }) => shortDayText(created_at, timeZone),
    csv: ({ created_at }) => created_at,
  },
];

const CHOICES = [
  {
    key: 'state' as const,
    label: 'State',
    any: 'Any',
    options: ORDER_STATES.map((value) => ({ value, label: DESK_LABELS[value] })),
  },
  {
    key: 'method' as const,
    label: 'Paid by',
    any: 'Any',
    options: ORDER_METHODS.map((value) => ({ value, label: METHOD_LABELS[value] })),
  },
  {
    key: 'overdue' as const,
    label: 'Invoices',
    any: 'All',
    options: [{ value: '1', label: 'Overdue' }],
  },
  {
    key: 'sort' as const,
    label: 'Sort by',
    options: [
      { value: 'newest', label: 'Newest' },
      { value: 'oldest', label: 'Oldest' },
    ],
  },
];

/** All orders: quotes to make, purchase orders to invoice, and what isn't paid yet. */
function AllOrdersScreen({ filter, page, timeZone }: OrdersProps) {
  const list = useAdminList<ListedOrder, OrderFilter>(
    { path: hrefFor('/admin/orders'), codec: orderFilter, read: listAllOrders },
    { filter, page },
  );
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1>Orders</h1>
        <Button variant="secondary" href={hrefFor('/admin/orders/prices')}>
          Prices
        </Button>
      </header>
      <AdminList
        list={list}
        codec={orderFilter}
        caption="Orders"
        noun={['order', 'orders']}
        columns={columns}
        onlyLinks
        nameOf={nameOf}
        searchBy="number, organization, name or email"
        choices={CHOICES}
        name="orders"
        empty={<EmptyState title="No orders yet">What people buy shows up here.</EmptyState>}
      />
    </div>
  );
}

export default screen(AllOrdersScreen);
