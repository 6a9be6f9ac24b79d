import { isSameKey } from '#backend/supabase/functions/_shared/requests.ts';
import type { Store, TestLine, TestSession, TestSubscription } from './store.ts';

/** Stripe's default, in seconds. */
const SESSION_LASTS = 86_400;

export const nowInSeconds = () => Math.floor(Date.now() / 1000);
export const newId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

interface ApiDeps {
  store: Store;
  secretKey: string;
  siteUrl: string;
  /** Where the test payment page of a session is. */
  pageOf: (sessionId: string) => string;
}

const refuse = (status: number, message: string) =>
  Response.json({ error: { type: 'invalid_request_error', message } }, { status });

/** Answers the few of Stripe's endpoints that we use, for Stripe's own client. */
export function createApi(deps: ApiDeps) {
  const { store, secretKey } = deps;
  return async (request: Request): Promise<Response> => {
    const key = (request.headers.get('authorization') ?? '').replace(/^Bearer +/i, '');
    if (!isSameKey(key, secretKey)) return refuse(401, 'Invalid API Key provided');
    const url = new URL(request.url);
    const asked = `${request.method} ${url.pathname}`;
    if (asked === 'POST /v1/checkout/sessions') {
      const form = new URLSearchParams(await request.text());
      return createSession(deps, form, request.headers.get('idempotency-key'));
    }
    if (asked === 'GET /v1/invoice_payments') {
      return Response.json(await paymentsOf(store, url.searchParams.get('invoice') ?? ''));
    }
    const [, id] = /^GET \/v1\/checkout\/sessions\/(\w+)$/.exec(asked) ?? [];
    const session = id ? await store.get<TestSession>(id) : null;
    if (!session) return refuse(404, `No such object: ${url.pathname}`);
    const expands = url.searchParams.toString().includes('subscription.latest_invoice');
    return Response.json(expands ? await expand(store, session) : session);
  };
}

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

async function createSession(
  { store, siteUrl, pageOf }: ApiDeps,
  form: URLSearchParams,
  key: string | null,
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
    customer: form.get('customer'),
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

async function paymentsOf(store: Store, invoice: string) {
  const data = (await store.get(invoice))
    ? [{ object: 'invoice_payment', payment: { payment_intent: paymentIntentOf(invoice) } }]
    : [];
  return { object: 'list', data, has_more: false, url: '/v1/invoice_payments' };
}

/** The payment that paid an invoice: in_x is paid by pi_x. */
export const paymentIntentOf = (invoice: string) => invoice.replace(/^in_/, 'pi_');

async function expand(store: Store, session: TestSession) {
  if (!session.subscription) return session;
  const subscription = await store.get<TestSubscription>(session.subscription);
  const invoice = subscription && (await store.get(subscription.latest_invoice));
  return { ...session, subscription: { ...subscription, latest_invoice: invoice } };
}
