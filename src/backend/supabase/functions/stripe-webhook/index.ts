import { factsOfEvent } from '../_shared/card-facts.ts';
import { paymentFinder } from '../_shared/checkout.ts';
import { queryOne } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { answer, refuseOtherMethods, textOf } from '../_shared/requests.ts';
import { setting } from '../_shared/settings.ts';
import { NO_CARDS, stripe } from '../_shared/stripe.ts';

/** Stripe's events are a few kilobytes. */
const LONGEST = 256 * 1024;
/** The oldest signature that counts, in seconds. */
const OLDEST = 300;

/** Receives what Stripe reports: signed with STRIPE_WEBHOOK_SECRET, at most five minutes ago. */
export default {
  async fetch(request: Request): Promise<Response> {
    const refusal = refuseOtherMethods(request);
    if (refusal) return refusal;
    const client = stripe();
    const secret = setting('STRIPE_WEBHOOK_SECRET');
    if (!client || !secret) return answer(503, NO_CARDS);
    const text = await textOf(request, LONGEST);
    if (text === null) return answer(413, 'Too long');
    const signature = request.headers.get('stripe-signature') ?? '';
    const event = await client.webhooks
      .constructEventAsync(text, signature, secret, OLDEST)
      .catch(() => null);
    if (!event) return answer(400, 'Wrong signature');

    const facts = await factsOfEvent(event, paymentFinder(client));
    // Stripe sends it again.
    if (!facts) return answer(503, 'Its payment isn’t known yet');
    if (facts.length === 0) return Response.json({ outcome: 'ignored' });
    const row = await queryOne<{ outcome: string }>(database())`
      select private.receive_stripe_event(
        ${event.id}, ${event.type}, ${new Date(event.created * 1000).toISOString()},
        ${JSON.stringify(facts)}::jsonb
      ) as outcome`;
    return Response.json({ outcome: row?.outcome });
  },
};
