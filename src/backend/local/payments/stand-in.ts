import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import * as v from 'valibot';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import { textOf } from '#backend/supabase/functions/_shared/requests.ts';
import { isCrossSite } from '../gateway/caller.ts';
import { isFromThisMachine } from '../mail/local-page.ts';
import { ACTIONS, createActions } from './actions.ts';
import { createApi } from './api.ts';
import { newId, nowInSeconds } from './ids.ts';
import {
  createMemberships,
  MEMBERSHIP_ACTIONS,
  type Memberships,
  membershipActions,
} from './memberships.ts';
import { paymentPage, portalPage } from './page.ts';
import { createRefunds } from './refunds.ts';
import {
  createStore,
  type Store,
  type TestEvent,
  type TestPortal,
  type TestSession,
  type TestSubscription,
} from './store.ts';

const PATH = '/_local/payments';
/** How long an event that couldn't be delivered waits, in ms. */
const RETRY = 10_000;

export type StandIn = Awaited<ReturnType<typeof openStandIn>>;

interface StandInOptions {
  db: Database;
  siteUrl: string;
  /** Keys are derived from it, so that they're the same after a restart. */
  secret: string;
  /** Sends a request to our functions. */
  deliver: (request: Request) => Promise<Response>;
  log: (line: string) => void;
}

/**
 * Stands in for Stripe on this machine: its API for Stripe's own client, on a port of its own; a
 * test payment page at `/_local/payments/<session>`, which other machines can't open; and signed
 * events to our webhook, delivered again until it takes them. Everything is kept in the database.
 */
export async function openStandIn({ db, siteUrl, secret, deliver, log }: StandInOptions) {
  const derive = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const [secretKey, webhookSecret] = [`sk_test_${derive('key')}`, `whsec_${derive('webhook')}`];
  const store = createStore(db);
  const sendEvents = createSender(
    store,
    (event) => deliver(signed(event, siteUrl, webhookSecret)),
    log,
  );
  const retry = setInterval(sendEvents, RETRY).unref();
  const emit = createEmitter(store);
  const memberships = createMemberships(store, emit);
  const refunds = createRefunds(store, emit);
  const parts = { store, emit, memberships, refunds };
  const actions = createActions(parts);
  const pageOf = (id: string) => `${siteUrl}${PATH}/${id}`;
  const api = createApi({ ...parts, actions, secretKey, siteUrl, pageOf, sendEvents });
  const server = createServer(getRequestListener(api, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  async function act(request: Request, session: TestSession): Promise<Response> {
    const action = v.safeParse(v.picklist(ACTIONS), (await formOf(request)).get('action'));
    const done = action.success && (await actions.take(session, action.output));
    await sendEvents();
    const goesBack = done && (action.output === 'pay' || action.output === 'later');
    const declined = action.output === 'decline' ? '?declined' : '';
    return seeOther(goesBack ? session.success_url : pageOf(session.id) + declined);
  }

  return {
    /** What the functions read to use the stand-in. */
    settings: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    /** Serves `/_local/payments/<session>`. */
    async page(request: Request, info: { remoteAddress: string }): Promise<Response> {
      const missing = new Response('Not found', { status: 404 });
      if (!isFromThisMachine(request, info.remoteAddress)) return missing;
      const url = new URL(request.url);
      const [, id] = /^\/_local\/payments\/((?:cs_test|bps)_\w+)$/.exec(url.pathname) ?? [];
      const shown = id ? await store.get<TestSession | TestPortal>(id) : null;
      if (!shown) return missing;
      const isForm = request.method === 'POST';
      if (isForm && isCrossSite(request, siteUrl))
        return new Response('Forbidden', { status: 403 });
      if (shown.object === 'billing_portal.session') {
        if (!isForm) return portalPage(shown, await membershipsOf(store, shown));
        await manage(store, memberships, shown, await formOf(request));
        await sendEvents();
        return seeOther(pageOf(shown.id));
      }
      if (isForm) return act(request, shown);
      return paymentPage(shown, {
        lines: await store.linesOf(shown.id),
        actions: await actions.actionsFor(shown),
        isDeclined: url.searchParams.has('declined'),
      });
    },
    async close() {
      clearInterval(retry);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const formOf = async (request: Request) =>
  new URLSearchParams((await textOf(request, 1_024)) ?? '');
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });

async function membershipsOf(store: Store, { customer }: TestPortal) {
  const found = await store.listBy<TestSubscription>('subscription', 'customer', customer);
  return found.map((subscription) => ({ subscription, actions: membershipActions(subscription) }));
}

/** What a customer chose for one of their own memberships. */
async function manage(
  store: Store,
  memberships: Memberships,
  portal: TestPortal,
  form: URLSearchParams,
): Promise<void> {
  const action = v.safeParse(v.picklist(MEMBERSHIP_ACTIONS), form.get('action'));
  const own = await membershipsOf(store, portal);
  const chosen = own.find(({ subscription }) => subscription.id === form.get('subscription'));
  if (action.success && chosen) await memberships.take(chosen.subscription, action.output);
}

/** Keeps events until they're delivered. Those of one membership are in seconds of their own. */
function createEmitter(store: Store) {
  const last = new Map<string, number>();
  return async (type: string, object: { id: string }): Promise<void> => {
    const id = newId('evt');
    // Stripe's memberships don't change twice in a second; clicks on a test page do.
    const created = Math.max(nowInSeconds(), (last.get(object.id) ?? 0) + 1);
    if (type.startsWith('customer.subscription.')) last.set(object.id, created);
    const event = { id, object: 'event', livemode: false, type, created };
    await store.putEvent({ id, payload: JSON.stringify({ ...event, data: { object } }) });
  };
}

/** Delivers the events that wait, in turn; the first that isn't taken keeps the others waiting. */
function createSender(
  store: Store,
  deliver: (event: TestEvent) => Promise<Response>,
  log: (line: string) => void,
) {
  let sending = Promise.resolve();
  return () => {
    sending = sending
      .then(async () => {
        for (const event of await store.undelivered()) {
          const response = await deliver(event);
          if (!response.ok) return;
          await store.delivered(event.id);
        }
      })
      .catch((error: Error) => log(`Test payments: ${error.message}`));
    return sending;
  };
}

/** The request that delivers an event, signed the way Stripe signs it. */
function signed({ payload }: TestEvent, siteUrl: string, secret: string): Request {
  const time = nowInSeconds();
  const hash = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');
  return new Request(`${siteUrl}/functions/v1/stripe-webhook`, {
    method: 'POST',
    body: payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${hash}` },
  });
}
