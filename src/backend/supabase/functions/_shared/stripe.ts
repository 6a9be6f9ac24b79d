import Stripe from 'stripe';
import { setting } from './settings.ts';

/** The version our code is written for, whatever the account's own is. */
const API_VERSION = '2026-10-28.endive';
/** Timeout of a request to Stripe, in ms; a function has 8 s. */
const TIME_LIMIT = 6_000;

let open: { key: string; base: string | undefined; client: Stripe } | undefined;

/**
 * The client with STRIPE_SECRET_KEY; null if it isn't set. STRIPE_API_BASE is the origin of a
 * stand-in for tests, and only the environment or the embedded stack names one.
 */
export function stripe(): Stripe | null {
  const key = setting('STRIPE_SECRET_KEY');
  if (!key) return null;
  const base = setting('STRIPE_API_BASE');
  if (open?.key !== key || open.base !== base) {
    const { hostname, port, protocol } = new URL(base || 'https://api.stripe.com');
    const client = new Stripe(key, {
      apiVersion: API_VERSION,
      host: hostname,
      port: port || (protocol === 'http:' ? '80' : '443'),
      protocol: protocol === 'http:' ? 'http' : 'https',
      httpClient: Stripe.createFetchHttpClient(),
      maxNetworkRetries: 1,
      timeout: TIME_LIMIT,
      telemetry: false,
    });
    open = { key, base, client };
  }
  return open.client;
}

/** What people read where cards can't be taken. */
export const NO_CARDS =
  'We can’t take cards right now. You can buy by purchase order, or try again later.';
