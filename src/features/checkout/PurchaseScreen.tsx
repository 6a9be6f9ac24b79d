import type { PurchaseOutcome } from '#data/checkout-return.ts';
import { hrefFor, withNext } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { purchaseWords } from './outcomes.ts';

interface PurchaseProps {
  outcome: PurchaseOutcome;
  /** The address of this page, for coming back to it. */
  here: string;
  timeZone: string;
  /** The day where the buyer is. */
  today: string;
}

/** What became of an order by purchase order, in the words that are true now. It needs no scripts. */
function PurchaseScreen({ outcome, here, timeZone, today }: PurchaseProps) {
  const { title, text } = wordsOf(outcome, timeZone, today);
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-5 px-5 py-10 [overflow-wrap:anywhere] md:py-14">
      <h1>{title}</h1>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">
        {outcome.kind === 'signed-out' && <Button href={withNext('/login', here)}>Sign in</Button>}
        {outcome.kind === 'unreachable' && <Button href={here}>Look again</Button>}
        {outcome.kind === 'order' && (
          <Button href={hrefFor('/dashboard/orders/[id]', { id: outcome.order.id })}>
            Your order
          </Button>
        )}
        {outcome.kind === 'order' && isUsable(outcome.order.state) && (
          <Button
            href={hrefFor(outcome.order.business ? '/dashboard/coaching' : '/dashboard/programs')}
            variant="secondary"
          >
            {outcome.order.business ? 'Your coaching' : 'Your program'}
          </Button>
        )}
        <Button href={hrefFor('/pricing')} variant="secondary">
          Prices
        </Button>
      </div>
    </div>
  );
}

const isUsable = (state: string) => ['invoiced', 'paid', 'part_refunded'].includes(state);

function wordsOf(
  outcome: PurchaseOutcome,
  timeZone: string,
  today: string,
): { title: string; text: string } {
  switch (outcome.kind) {
    case 'order':
      return purchaseWords(outcome.order, timeZone, today);
    case 'signed-out':
      return {
        title: 'Sign in to see your order',
        text: 'How far it is, and what comes next, is in your account.',
      };
    case 'unknown':
      return {
        title: 'We can’t find this order',
        text: 'You may be signed in with another account than the one that placed it.',
      };
    case 'unreachable':
      return { title: 'We can’t tell yet', text: outcome.message };
  }
}

export default screen(PurchaseScreen);
