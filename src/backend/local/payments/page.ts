import { Html, html } from '#backend/supabase/functions/_shared/mail/html.ts';
import type { Action } from './actions.ts';
import type { MembershipAction } from './memberships.ts';
import type { TestLine, TestPortal, TestSession, TestSubscription } from './store.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.55 Figtree, system-ui, sans-serif; }
  body { margin: 0; background: light-dark(#fbfaf5, #0d1611); color: light-dark(#1a251d, #ebece3); }
  main { max-width: 32rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
  h1, h2 { font: 500 1.75rem/1.2 Fraunces, Georgia, serif; margin: 1rem 0 .5rem; }
  h2 { font-size: 1.25rem; }
  .test { display: inline-block; padding: .2rem .75rem; border-radius: 999px; background: light-dark(#7a4a00, #f2c879); color: light-dark(#fff, #1a1408); font-weight: 600; }
  .problem { padding: .75rem 1rem; border-radius: 12px; border: 1px solid currentColor; color: light-dark(#8c1d18, #f4a9a2); }
  dl { display: grid; grid-template-columns: 1fr auto; gap: .5rem 1rem; margin: 1.5rem 0; }
  dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
  form { display: grid; gap: .75rem; }
  button, a { min-height: 2.75rem; font: inherit; color: inherit; }
  button { border: 1px solid light-dark(#505b52, #a7aea0); border-radius: 12px; background: none; cursor: pointer; }
  button:first-of-type { background: light-dark(#1a5e3a, #95d6a6); color: light-dark(#fff, #0d1611); border-color: transparent; font-weight: 600; }
  :focus-visible { outline: 3px solid light-dark(#1a5e3a, #95d6a6); outline-offset: 2px; }
`;

const LABELS: Record<Action, string> = {
  pay: 'Pay with a test card',
  decline: 'Try a card that’s declined',
  later: 'Pay from a bank account, which takes days',
  expire: 'Let this page expire',
  arrive: 'The bank’s money arrives',
  fail: 'The bank refuses',
  cancel: 'Cancel at the end of the period',
  resume: 'Keep the membership',
  renew: 'Skip to the end of the period',
  fail_renewal: 'Skip there, and decline the renewal',
  pay_failed: 'Pay the declined renewal',
  end: 'End the membership now',
  refund: 'Refund the latest payment',
  dispute: 'Dispute the latest payment',
  win: 'The bank decides for the shop',
  lose: 'The bank decides for the cardholder',
};

function heading(session: TestSession): string {
  if (session.status === 'open') return 'Pay for your order';
  if (session.status === 'expired') return 'This payment page is closed';
  return session.payment_status === 'paid' ? 'This is paid' : 'The bank is working on it';
}

/** The test payment page: it stands where Stripe's own is, and no money moves. */
export function paymentPage(
  session: TestSession,
  details: { lines: TestLine[]; actions: Action[]; isDeclined: boolean },
): Response {
  const { lines, actions, isDeclined } = details;
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: session.currency });
  const rows = [...lines, { name: 'Total', amount: session.amount_total }].map(
    ({ name, amount }) => html`<dt>${name}</dt><dd>${money.format(amount / 100)}</dd>`,
  );
  const problem = html`<p class="problem" role="alert">This card was declined. Nothing was paid. Try another one.</p>`;
  return page(html`
      <h1>${heading(session)}</h1>
      <p>This page stands in for the payment company’s. No money moves, and nobody asks for a card.</p>
      ${isDeclined ? problem : null}
      <dl>${rows}</dl>
      <form method="post">${buttonsOf(actions)}</form>
      <p><a href="${session.status === 'complete' ? session.success_url : session.cancel_url}">Back to your order</a></p>`);
}

const STATES: Record<TestSubscription['status'], string> = {
  active: 'Renews on',
  past_due: 'Payment is due. This period ends on',
  canceled: 'Ended',
};

/** The test page of a customer, which stands where Stripe's customer portal is. */
export function portalPage(
  portal: TestPortal,
  memberships: { subscription: TestSubscription; actions: MembershipAction[] }[],
): Response {
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  const parts = memberships.map(({ subscription, actions }, index) => {
    const [item] = subscription.items.data;
    const label =
      subscription.status === 'active' && subscription.cancel_at_period_end
        ? 'Ends on'
        : STATES[subscription.status];
    const until = item && subscription.status !== 'canceled' ? day(item.current_period_end) : '';
    return html`
      <h2>Membership ${String(index + 1)}</h2>
      <p>${label} ${until}</p>
      <form method="post"><input type="hidden" name="subscription" value="${subscription.id}">${buttonsOf(actions)}</form>`;
  });
  return page(html`
      <h1>Your memberships</h1>
      <p>This page stands in for the payment company’s, where members change their card and cancel. Skipping time is for trying it out.</p>
      ${parts}
      <p><a href="${portal.return_url}">Back to your order</a></p>`);
}

const buttonsOf = (actions: Action[]) =>
  actions.map((action) => html`<button name="action" value="${action}">${LABELS[action]}</button>`);

function page(main: Html): Response {
  const markup = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Test payment</title>
    <style>${new Html(STYLE)}</style>
  </head>
  <body>
    <main>
      <span class="test">Test payment</span>${main}
    </main>
  </body>
</html>
`;
  return new Response(markup.markup, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    },
  });
}
