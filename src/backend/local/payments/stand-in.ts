import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import * as v from 'valibot';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import { textOf } from '#backend/supabase/functions/_shared/requests.ts';
import { isCrossSite } from '../gateway/caller.ts';
import { isFromThisMachine } from '../mail/mailbox.ts';
import { ACTIONS, actionsFor, createActions } from './actions.ts';
import { createApi, newId, nowInSeconds } from './api.ts';
import { paymentPage } from './page.ts';
import { createStore, type Store, type TestEvent, type TestSession } from './store.ts';

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
  const pageOf = (id: string) => `${siteUrl}${PATH}/${id}`;
  const server = createServer(
    getRequestListener(createApi({ store, secretKey, siteUrl, pageOf }), {
      overrideGlobalObjects: false,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const sendEvents = createSender(
    store,
    (event) => deliver(signed(event, siteUrl, webhookSecret)),
    log,
  );
  const retry = setInterval(sendEvents, RETRY).unref();
  const actions = createActions(store, async (type, object) => {
    const id = newId('evt');
    const event = { id, object: 'event', livemode: false, type, created: nowInSeconds() };
    await store.putEvent({ id, payload: JSON.stringify({ ...event, data: { object } }) });
  });

  async function act(request: Request, session: TestSession): Promise<Response> {
    if (isCrossSite(request, siteUrl)) return new Response('Forbidden', { status: 403 });
    const form = new URLSearchParams((await textOf(request, 1_024)) ?? '');
    const action = v.safeParse(v.picklist(ACTIONS), form.get('action'));
    const done = action.success && (await actions.take(session, action.output));
    await sendEvents();
    const goesBack = done && (action.output === 'pay' || action.output === 'later');
    const to = goesBack
      ? session.success_url
      : pageOf(session.id) + (action.output === 'decline' ? '?declined' : '');
    return new Response(null, { status: 303, headers: { location: to } });
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
      const [, id] = /^\/_local\/payments\/(cs_test_\w+)$/.exec(url.pathname) ?? [];
      const session = id ? await store.get<TestSession>(id) : null;
      if (!session) return missing;
      if (request.method === 'POST') return act(request, session);
      return paymentPage(session, {
        lines: await store.linesOf(session.id),
        actions: actionsFor(session, await actions.subscriptionOf(session)),
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
