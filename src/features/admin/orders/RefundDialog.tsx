import { useEffect, useState } from 'react';
import * as v from 'valibot';
import type { DeskOrder } from '#data/order-desk.ts';
import { listRefundable, type RefundablePayment, refundPayment } from '#data/refunds.ts';
import { PAYMENT_LABELS } from '#domain/order.ts';
import { refundOfUnused } from '#domain/refund.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { dayText } from '#lib/locale/dates.ts';
import { minorOf, money } from '#lib/locale/money.ts';
import { idsByWords } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { refundableText, withdrawnText } from './refund-text.ts';

interface RefundProps {
  order: DeskOrder;
  timeZone: string;
  onChange: (order: DeskOrder) => void;
  onClose: () => void;
}

/** Refunds a payment of an order or part of it, after showing what that withdraws. */
export function RefundDialog(props: RefundProps) {
  const [payments, setPayments] = useState<RefundablePayment[] | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when it opens
  useEffect(() => {
    const read = async () => setPayments(await listRefundable(await db(), props.order.id));
    read().catch((thrown) => setFailure(reportError(thrown)));
  }, []);
  const open = payments?.filter(({ open_minor }) => open_minor > 0);
  return (
    <RefundForm
      // What it proposes is known once the payments are.
      key={open ? 'known' : 'loading'}
      {...props}
      payments={open ?? []}
      failure={failure}
    />
  );
}

const schemaFor = (payments: RefundablePayment[], currency: string) =>
  v.pipe(
    v.object({
      paymentId: v.pipe(v.string(), v.minLength(1, 'Nothing is left to refund.')),
      amount: v.string(),
      reason: v.pipe(textUpTo(500), v.minLength(3, 'Say why. The buyer reads it.')),
    }),
    v.forward(
      v.check(({ paymentId, amount }) => {
        const most = payments.find(({ payment_id }) => payment_id === paymentId)?.open_minor ?? 0;
        const minor = minorOf(amount, currency) ?? 0;
        return minor > 0 && minor <= most;
      }, 'Enter an amount up to what’s left of the payment.'),
      ['amount'],
    ),
  );
type Input = v.InferOutput<ReturnType<typeof schemaFor>>;

const decimals = (minor: number) => String(minor / 100);

function RefundForm({
  order,
  timeZone,
  payments,
  failure,
  onChange,
  onClose,
}: RefundProps & { payments: RefundablePayment[]; failure: AppError | null }) {
  const [idOf] = useState(idsByWords);
  const { currency } = order;
  const fields = useSchemaForm<Input>(
    schemaFor(payments, currency),
    async ({ paymentId, amount, reason }) => {
      const said = { paymentId, amountMinor: minorOf(amount, currency) ?? 0, reason };
      onChange(await refundPayment(await db(), idOf(said), order.id, said));
      addToast({ tone: 'good', title: 'The refund is recorded.' });
      onClose();
    },
    {
      guarded: true,
      onError: reportError,
      defaults: {
        paymentId: payments[0]?.payment_id ?? '',
        amount: payments[0] ? decimals(refundOfUnused(payments[0])) : '',
        reason: '',
      },
    },
  );
  const [paymentId, amount] = fields.form.watch(['paymentId', 'amount']);
  const payment = payments.find(({ payment_id }) => payment_id === paymentId);
  const propose = (minor: number) =>
    fields.form.setValue('amount', decimals(minor), { shouldDirty: true });
  return (
    <FormDialog
      title="Refund"
      description={payment && refundableText(payment, currency)}
      action="Refund it"
      danger
      fields={fields}
      onClose={onClose}
    >
      {payments.length > 1 && (
        <Field
          label="Which payment"
          as={Select}
          options={payments.map((each) => ({
            value: each.payment_id,
            label: `${PAYMENT_LABELS[each.method]}, ${dayText(each.received_at, timeZone)}, ${money(each.amount_minor, currency)}`,
          }))}
          {...fields.field('paymentId')}
        />
      )}
      <Field label="Amount, in dollars" inputMode="decimal" {...fields.field('amount')} />
      {payment && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" variant="secondary" onClick={() => propose(refundOfUnused(payment))}>
            {UNUSED_LABELS[payment.unit]}
          </Button>
          <Button size="small" variant="secondary" onClick={() => propose(payment.open_minor)}>
            All that’s left
          </Button>
        </div>
      )}
      {payment && (
        <p className="text-sm" aria-live="polite">
          {withdrawnText(payment, minorOf(amount, currency) ?? 0)}
        </p>
      )}
      <Field
        label="Reason"
        hint="The buyer reads it, and other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure ?? failure} />
    </FormDialog>
  );
}

const UNUSED_LABELS = {
  session: 'Unused sessions',
  month: 'Months that haven’t started',
  seat: 'Unused seats',
} as const;
