import type { ReactNode } from 'react';
import type { CheckoutOutcome } from '#data/checkout-return.ts';
import { hrefFor, withNext } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { checkoutWords } from './outcomes.ts';

interface CheckoutProps {
  outcome: CheckoutOutcome;
  /** The address of this page, for coming back to it. */
  here: string;
  /** The payment page that was just opened. */
  paymentUrl: string | null;
  /** Why it couldn't be opened. */
  problem: string | null;
}

/** How paying went, in the words that are true now. Works without JavaScript. */
function CheckoutScreen({ outcome, here, paymentUrl, problem }: CheckoutProps) {
  if (paymentUrl) {
    return (
      <Frame title="Your payment page is ready">
        <p>You pay on our payment company’s page, and then come back here.</p>
        <Buttons>
          <Button href={paymentUrl}>Go to the payment page</Button>
        </Buttons>
      </Frame>
    );
  }
  if (outcome.kind === 'signed-out') {
    return (
      <Frame title="Sign in to see your order">
        <p>How far it is, and what comes next, is in your account.</p>
        <Buttons>
          <Button href={withNext('/login', here)}>Sign in</Button>
        </Buttons>
      </Frame>
    );
  }
  if (outcome.kind !== 'order') {
    const isUnknown = outcome.kind === 'unknown';
    return (
      <Frame title={isUnknown ? 'We can’t find this order' : 'We can’t tell yet'}>
        <p>
          {isUnknown
            ? 'You may be signed in with another account than the one that placed it.'
            : outcome.message}
        </p>
        <Buttons>
          <Button href={isUnknown ? hrefFor('/pricing') : here}>
            {isUnknown ? 'Prices' : 'Look again'}
          </Button>
        </Buttons>
      </Frame>
    );
  }
  const { title, text, canPay } = checkoutWords(outcome);
  const isPaid = outcome.state === 'paid' && !outcome.isDisputed;
  return (
    <Frame title={title}>
      <p>{text}</p>
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <Buttons>
        {canPay && (
          <form method="post" action={here}>
            <Button type="submit">Pay now</Button>
          </form>
        )}
        {isPaid && <Button href={hrefFor('/dashboard/coaching')}>Your coaching</Button>}
        {outcome.isProcessing && <Button href={here}>Look again</Button>}
        <Button
          href={hrefFor('/dashboard/orders/[id]', { id: outcome.orderId })}
          variant="secondary"
        >
          {isPaid ? 'Your receipt' : 'Your order'}
        </Button>
        <Button href={hrefFor('/pricing')} variant="secondary">
          Prices
        </Button>
      </Buttons>
    </Frame>
  );
}

const Frame = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="mx-auto flex w-full max-w-2xl flex-col gap-5 px-5 py-10 [overflow-wrap:anywhere] md:py-14">
    <h1>{title}</h1>
    {children}
  </div>
);
const Buttons = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-3">{children}</div>
);

export default screen(CheckoutScreen);
