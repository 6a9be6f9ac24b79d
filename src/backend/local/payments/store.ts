import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';

/** The stand-in's objects have the names and types of Stripe's fields, as far as we use them. */
export interface TestSession {
  id: string;
  object: 'checkout.session';
  livemode: false;
  created: number;
  expires_at: number;
  mode: 'payment' | 'subscription';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  amount_subtotal: number;
  amount_total: number;
  currency: string;
  customer: string | null;
  customer_email: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  payment_intent: string | null;
  subscription: string | null;
  invoice: string | null;
  success_url: string;
  cancel_url: string;
  url: string | null;
}

export interface TestSubscription {
  id: string;
  object: 'subscription';
  livemode: false;
  created: number;
  customer: string;
  status: 'active' | 'past_due' | 'canceled';
  metadata: Record<string, string>;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  ended_at: number | null;
  latest_invoice: string;
  items: {
    object: 'list';
    data: {
      id: string;
      object: 'subscription_item';
      current_period_start: number;
      current_period_end: number;
      price: { recurring: { interval: 'month' | 'year' } };
    }[];
  };
}

export interface TestInvoice {
  id: string;
  object: 'invoice';
  livemode: false;
  created: number;
  status: 'open' | 'paid';
  billing_reason: 'subscription_create' | 'subscription_cycle';
  amount_due: number;
  amount_paid: number;
  currency: string;
  customer: string;
  parent: { subscription_details: { subscription: string; metadata: Record<string, string> } };
  lines: {
    object: 'list';
    data: { object: 'line_item'; period: { start: number; end: number } }[];
  };
}

export interface TestRefund {
  id: string;
  object: 'refund';
  created: number;
  payment_intent: string;
  amount: number;
  currency: string;
  status: 'succeeded';
  reason: string | null;
  metadata: Record<string, string>;
}

export interface TestDispute {
  id: string;
  object: 'dispute';
  livemode: false;
  created: number;
  payment_intent: string;
  amount: number;
  currency: string;
  status: 'needs_response' | 'won' | 'lost';
  reason: string;
}

export interface TestPortal {
  id: string;
  object: 'billing_portal.session';
  livemode: false;
  created: number;
  customer: string;
  return_url: string;
  url: string;
}

/** A line as the test payment page shows it. */
export interface TestLine {
  name: string;
  amount: number;
  interval: 'month' | 'year' | null;
}

export interface TestEvent {
  id: string;
  payload: string;
}

export type Store = ReturnType<typeof createStore>;

/** Keeps the stand-in's objects in a schema of its own, which it creates when it's first needed. */
export function createStore(db: Database) {
  let ready: Promise<unknown> | undefined;
  const prepared = () => {
    ready ??= query(db)`
      do $do$ begin
        perform pg_advisory_xact_lock(hashtextextended('test_payments', 0));
        create schema if not exists test_payments;
        create table if not exists test_payments.objects (
          id text primary key, object jsonb not null, lines jsonb, key text unique
        );
        create table if not exists test_payments.events (
          number bigint generated always as identity primary key, id text not null unique,
          payload text not null, delivered_at timestamptz
        );
      end $do$`;
    return ready;
  };
  return {
    async get<T>(id: string): Promise<T | null> {
      await prepared();
      const row = await queryOne<{ object: T }>(db)`
        select object from test_payments.objects where id = ${id}`;
      return row?.object ?? null;
    },
    async linesOf(id: string): Promise<TestLine[]> {
      await prepared();
      const row = await queryOne<{ lines: TestLine[] | null }>(db)`
        select lines from test_payments.objects where id = ${id}`;
      return row?.lines ?? [];
    },
    /** The objects of a kind that name another, newest first. */
    async listBy<T>(kind: string, field: 'customer' | 'payment_intent', id: string): Promise<T[]> {
      await prepared();
      const rows = await query<{ object: T }>(db)`
        select object from test_payments.objects
        where object ->> 'object' = ${kind} and object ->> ${field}::text = ${id}
        order by (object ->> 'created')::bigint desc, id limit 100`;
      return rows.map(({ object }) => object);
    },
    /** The object that was created with an idempotency key. */
    async getByKey<T>(key: string): Promise<T | null> {
      await prepared();
      const row = await queryOne<{ object: T }>(db)`
        select object from test_payments.objects where key = ${key}`;
      return row?.object ?? null;
    },
    async put(object: { id: string }, more: { lines?: TestLine[]; key?: string } = {}) {
      await prepared();
      await query(db)`
        insert into test_payments.objects as o (id, object, lines, key)
        values (
          ${object.id}, ${JSON.stringify(object)}::jsonb,
          ${more.lines ? JSON.stringify(more.lines) : null}::jsonb, ${more.key ?? null}
        )
        on conflict (id) do update set object = excluded.object`;
    },
    async putEvent({ id, payload }: TestEvent) {
      await prepared();
      await query(db)`insert into test_payments.events (id, payload) values (${id}, ${payload})`;
    },
    async undelivered(): Promise<TestEvent[]> {
      await prepared();
      return query<TestEvent>(db)`
        select id, payload from test_payments.events where delivered_at is null
        order by number limit 50`;
    },
    async delivered(id: string) {
      await query(db)`update test_payments.events set delivered_at = now() where id = ${id}`;
    },
  };
}
