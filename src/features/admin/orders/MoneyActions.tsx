import { useState } from 'react';
import type { DeskOrder } from '#data/order-desk.ts';
import { endMembership } from '#data/refunds.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { useOpenedPart } from '#ui/use-part.ts';

interface MoneyProps {
  order: DeskOrder;
  timeZone: string;
  onChange: (order: DeskOrder) => void;
}

const loadRefund = () => import('./RefundDialog.tsx');
const loadReason = () => import('../ReasonDialog.tsx');

/** Gives money back, and ends a membership. */
export function MoneyActions({ order, timeZone, onChange }: MoneyProps) {
  const [opened, setOpened] = useState<'refund' | 'end' | null>(null);
  const close = () => setOpened(null);
  const refund = useOpenedPart(loadRefund, opened === 'refund', close);
  const reason = useOpenedPart(loadReason, opened === 'end', close);
  const { membership } = order;
  const isRunning = membership !== null && membership.state !== 'ended';
  const canRefund = order.paid_minor > order.refunded_minor;
  if (!canRefund && !isRunning) return null;

  async function end(why: string, when: string) {
    try {
      onChange(await endMembership(await db(), order.id, when === 'now' ? 'now' : 'period', why));
    } catch (thrown) {
      throw reportError(thrown);
    }
    addToast({ tone: 'good', title: 'The membership is being ended.' });
  }
  const until = membership?.period_ends_at ? dayText(membership.period_ends_at, timeZone) : '';
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {canRefund && (
        <Button size="small" variant="secondary" needsScript onClick={() => setOpened('refund')}>
          Refund
        </Button>
      )}
      {isRunning && (
        <Button size="small" variant="danger" needsScript onClick={() => setOpened('end')}>
          End the membership
        </Button>
      )}
      {opened === 'refund' && refund && (
        <refund.RefundDialog
          order={order}
          timeZone={timeZone}
          onChange={onChange}
          onClose={close}
        />
      )}
      {opened === 'end' && reason && (
        <reason.ReasonDialog
          action={{
            title: 'End this membership?',
            description:
              'The payment company stops charging the card. Sessions that are paid for stay; refund them separately.',
            reasonReader: 'The member',
            action: 'End it',
            danger: true,
            question: {
              legend: 'When does it end?',
              options: [
                ...(membership?.ends_with_period
                  ? []
                  : [['period', `With what’s paid for: ${until}`] as const]),
                ['now', 'Now'] as const,
              ],
            },
            onSubmit: end,
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
