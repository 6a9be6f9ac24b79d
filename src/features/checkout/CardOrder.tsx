/** What a buyer does at the payment company: paying an order, and managing its membership. */
import { openBillingPortal, openCheckout } from '#data/checkout.ts';
import type { Order } from '#data/orders.ts';
import { db } from '#lib/db.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';
import { Button, type ButtonProps } from '#ui/Button.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { membershipText } from './membership-text.ts';

interface LeaveProps {
  label: string;
  variant?: ButtonProps['variant'];
  /** Opens the page that the button leads to; its address. */
  open: (client: Db) => Promise<string>;
}

/** Leads to a page that is opened when it's asked for. */
function LeaveButton({ label, variant = 'primary', open }: LeaveProps) {
  const { pending, failure, run } = useAction(reportError);
  const leave = () =>
    run(async () => {
      location.assign(await open(await db()));
      return 'leaving';
    });
  return (
    <div className="flex flex-col gap-2">
      <div>
        <Button variant={variant} needsScript pending={pending} onClick={leave}>
          {label}
        </Button>
      </div>
      <FailureLine failure={failure} />
    </div>
  );
}

/** Pays an order by card, on the page that's open or a new one. */
export const PayButton = ({ order }: { order: Order }) => (
  <LeaveButton label="Pay by card" open={(client) => openCheckout(client, order.id)} />
);

/** An order's membership: whether it renews, and the page where the card is changed or it's canceled. */
export function MembershipSection({ order, timeZone }: { order: Order; timeZone: string }) {
  const { membership } = order;
  if (!membership) return null;
  const every = order.lines[0]?.every ?? 'month';
  const text = membershipText({ ...order, ...membership, every }, timeZone);
  const isDue = membership.state === 'past_due';
  return (
    <Section id="membership" title="Membership" className="card p-5 print:hidden">
      <p className="mt-2">{text}</p>
      {membership.state !== 'ended' && (
        <div className="mt-4 flex flex-col gap-2">
          <LeaveButton
            label={isDue ? 'Enter another card' : 'Change the card, cancel or resume'}
            variant={isDue ? 'primary' : 'secondary'}
            open={(client) => openBillingPortal(client, order.id)}
          />
          <p className="text-sm text-muted">On the payment company’s page. You come back here.</p>
        </div>
      )}
    </Section>
  );
}
