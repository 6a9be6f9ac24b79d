import { isSameKey } from '#backend/supabase/functions/_shared/requests.ts';
import type { Actions } from './actions.ts';
import { newId, nowInSeconds, paymentIntentOf } from './ids.ts';
import type { Memberships } from './memberships.ts';
import type { Refunds } from './refunds.ts';
import type { Store, TestLine, TestPortal, TestSession, TestSubscription } from './store.ts';

/** Stripe's default, in seconds. */
const SESSION_LASTS = 86_400;

interface ApiDeps {
  store: Store;
  memberships: Memberships;
  refunds: Refunds;
  actions: Actions;
  secretKey: string;
  siteUrl: string;
  /** Where the test payment page of a session is, or a customer's. */
  pageOf: (sessionId: string) => string;
  /** Delivers what happened, after the answer. */
  sendEvents: () => unknown;
}

const refuse = (status: number, message: string, code: string | null = null) =>
  Response.json(
    { error: { type: 'invalid_request_error', message, ...(code && { code }) } },
    { status },
  );
const missing = (what: string) => refuse(404, `No such object: ${what}`, 'resource_missing');

/** Answers the few of Stripe's endpoints that we use, for Stripe's own client. */
export function createApi(deps: ApiDeps) {
  const { store, secretKey } = deps;
  const routes: Record<string, (call: Call) => Promise<Response>> = {
    'POST checkout/sessions': (call) => createSession(deps, call),
    'GET checkout/sessions/*': ({ id, url }) => readSession(store, id, url),
    'POST checkout/sessions/*/expire': (call) => expireSession(deps, call),
    'GET invoice_payments': async ({ url }) =>
      Response.json(await paymentsOf(store, url.searchParams.get('invoice') ?? '')),
    'POST billing_portal/sessions': (call) => openPortal(deps, call),
    'POST refunds': (call) => refund(deps, call),
    'GET refunds': async ({ url }) =>
      list('refunds', await deps.refunds.list(url.searchParams.get('payment_intent') ?? '')),
    'GET subscriptions/*': (call) => changeSubscription(deps, call, async (found) => found),
    'POST subscriptions/*': (call) =>
      changeSubscription(deps, call, (found) =>
        deps.memberships.setEnding(found, call.form.get('cancel_at_period_end') === 'true'),
      ),
    'DELETE subscriptions/*': (call) => changeSubscription(deps, call, deps.memberships.end),
  };
  return async (request: Request): Promise<Response> => {
    const key = (request.headers.get('authorization') ?? '').replace(/^Bearer +/i, '');
    if (!isSameKey(key, secretKey)) return refuse(401, 'Invalid API Key provided');
    const url = new URL(request.url);
    const [, path = '', id = '', verb = ''] =
      /^\/v1\/(.+?)(?:\/((?:cs_test|sub)_\w+)(\/expire)?)?$/.exec(url.pathname) ?? [];
    const answer = routes[`${request.method} ${path}${id ? '/*' : ''}${verb}`];
    if (!answer) return missing(url.pathname);
    const form = new URLSearchParams(request.method === 'POST' ? await request.text() : '');
    return answer({ id, url, form, key: request.headers.get('idempotency-key') });
  };
}

interface Call {
  /** The object's, from the path. */
  id: string;
  url: URL;
  form: URLSearchParams;
  /** The key that repeated requests share. */
  key: string | null;
}

const list = (name: string, data: object[]) =>
  Response.json({ object: 'list', data, has_more: false, url: `/v1/${name}` });

/** The lines of a form such as line_items[0][price_data][unit_amount]=28500. */
function linesOf(form: URLSearchParams): TestLine[] {
  const lines: TestLine[] = [];
  for (let n = 0; form.has(`line_items[${n}][quantity]`); n++) {
    const field = (name: string) => form.get(`line_items[${n}]${name}`);
    const interval = field('[price_data][recurring][interval]');
    lines.push({
      name: field('[price_data][product_data][name]') ?? '',
      amount: Number(field('[price_data][unit_amount]')) * Number(field('[quantity]')),
      interval: interval === 'month' || interval === 'year' ? interval : null,
    });
  }
  return lines;
}

/** Whether someone has paid as this customer. */
const isCustomer = async (store: Store, customer: string) =>
  (await store.listBy('checkout.session', 'customer', customer)).length > 0;

async function createSession(
  { store, siteUrl, pageOf }: ApiDeps,
  { form, key }: Call,
): Promise<Response> {
  const same = key ? await store.getByKey<TestSession>(key) : null;
  if (same) return Response.json(same);
  const lines = linesOf(form);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const [success, cancel] = [form.get('success_url') ?? '', form.get('cancel_url') ?? ''];
  if (!(total > 0)) return refuse(400, 'The lines come to nothing');
  if (![success, cancel].every((url) => url.startsWith(`${siteUrl}/`))) {
    return refuse(400, 'The test page only returns to this site');
  }
  const customer = form.get('customer');
  if (customer && !(await isCustomer(store, customer))) {
    return refuse(400, `No such customer: '${customer}'`, 'resource_missing');
  }
  const id = newId('cs_test');
  const session: TestSession = {
    id,
    object: 'checkout.session',
    livemode: false,
    created: nowInSeconds(),
    expires_at: nowInSeconds() + SESSION_LASTS,
    mode: form.get('mode') === 'subscription' ? 'subscription' : 'payment',
    status: 'open',
    payment_status: 'unpaid',
    amount_subtotal: total,
    amount_total: total,
    currency: form.get('line_items[0][price_data][currency]') ?? '',
    customer,
    customer_email: form.get('customer_email'),
    client_reference_id: form.get('client_reference_id'),
    metadata: { order_id: form.get('metadata[order_id]') ?? '' },
    payment_intent: null,
    subscription: null,
    invoice: null,
    success_url: success,
    cancel_url: cancel,
    url: pageOf(id),
  };
  await store.put(session, key ? { lines, key } : { lines });
  return Response.json(session);
}

async function readSession(store: Store, id: string, url: URL): Promise<Response> {
  const session = await store.get<TestSession>(id);
  if (!session) return missing(id);
  const expands = url.searchParams.toString().includes('subscription.latest_invoice');
  if (!expands || !session.subscription) return Response.json(session);
  const subscription = await store.get<TestSubscription>(session.subscription);
  const invoice = subscription && (await store.get(subscription.latest_invoice));
  return Response.json({ ...session, subscription: { ...subscription, latest_invoice: invoice } });
}

async function expireSession({ store, actions, sendEvents }: ApiDeps, { id }: Call) {
  const session = await store.get<TestSession>(id);
  if (!session) return missing(id);
  if (!(await actions.take(session, 'expire')))
    return refuse(400, 'Only an open session can be expired');
  sendEvents();
  return Response.json(await store.get<TestSession>(id));
}

async function paymentsOf(store: Store, invoice: string) {
  const intent = paymentIntentOf(invoice);
  const payment = { type: 'payment_intent', payment_intent: intent };
  const data = (await store.get(invoice)) ? [{ object: 'invoice_payment', invoice, payment }] : [];
  return { object: 'list', data, has_more: false, url: '/v1/invoice_payments' };
}

async function openPortal({ store, siteUrl, pageOf }: ApiDeps, { form }: Call): Promise<Response> {
  const customer = form.get('customer') ?? '';
  const returnUrl = form.get('return_url') ?? '';
  if (!(await isCustomer(store, customer)))
    return refuse(400, `No such customer: '${customer}'`, 'resource_missing');
  if (!returnUrl.startsWith(`${siteUrl}/`)) {
    return refuse(400, 'The test page only returns to this site');
  }
  const id = newId('bps');
  const portal: TestPortal = {
    id,
    object: 'billing_portal.session',
    livemode: false,
    created: nowInSeconds(),
    customer,
    return_url: returnUrl,
    url: pageOf(id),
  };
  await store.put(portal);
  return Response.json(portal);
}

async function refund({ refunds, sendEvents }: ApiDeps, { form, key }: Call): Promise<Response> {
  const refundId = form.get('metadata[refund_id]');
  const metadata: Record<string, string> = refundId ? { refund_id: refundId } : {};
  const given = {
    amount: form.has('amount') ? Number(form.get('amount')) : null,
    reason: form.get('reason'),
    metadata,
  };
  const outcome = await refunds.create(form.get('payment_intent') ?? '', given, key);
  sendEvents();
  if ('refund' in outcome) return Response.json(outcome.refund);
  const status = outcome.code === 'resource_missing' ? 404 : 400;
  return refuse(status, outcome.refused, outcome.code);
}

async function changeSubscription(
  { store, sendEvents }: ApiDeps,
  { id }: Call,
  change: (found: TestSubscription) => Promise<TestSubscription>,
): Promise<Response> {
  const found = await store.get<TestSubscription>(id);
  if (!found) return missing(id);
  const changed = found.status === 'canceled' ? found : await change(found);
  sendEvents();
  return Response.json(changed);
}
