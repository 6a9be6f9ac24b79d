import { useState } from 'react';
import * as v from 'valibot';
import { type DeskOrder, recordPayment } from '#data/order-desk.ts';
import { PAYMENT_LABELS } from '#domain/order.ts';
import { db } from '#lib/db.ts';
import { minorOf, money } from '#lib/locale/money.ts';
import { idsByWords } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface PaymentProps {
  order: DeskOrder;
  /** The day where the admin is. */
  today: string;
  onChange: (order: DeskOrder) => void;
  onClose: () => void;
}

const METHODS = ['check', 'transfer', 'other'] as const;

const schemaIn = (currency: string) =>
  v.object({
    amountMinor: v.pipe(
      v.string(),
      v.check((text) => (minorOf(text, currency) ?? 0) > 0, 'Enter the amount, such as 1,710.'),
    ),
    method: v.picklist(METHODS),
    receivedOn: v.pipe(v.string(), v.minLength(1, 'Choose the day it arrived.')),
    reason: v.pipe(textUpTo(2000), v.minLength(3, 'Say why, for the audit log.')),
  });
type Input = v.InferOutput<ReturnType<typeof schemaIn>>;

/** Records a check or a transfer for an invoice, in full or in part. */
export function PaymentDialog({ order, today, onChange, onClose }: PaymentProps) {
  const [idOf] = useState(idsByWords);
  const open = order.total_minor - order.paid_minor;
  const fields = useSchemaForm<Input>(
    schemaIn(order.currency),
    async (input) => {
      const said = {
        method: input.method,
        amountMinor: minorOf(input.amountMinor, order.currency) ?? 0,
        openMinor: open,
        receivedOn: input.receivedOn,
        reason: input.reason,
      };
      onChange(await recordPayment(await db(), idOf(said), order.id, said));
      addToast({ tone: 'good', title: 'The payment is recorded.' });
      onClose();
    },
    {
      guarded: true,
      onError: reportError,
      defaults: {
        amountMinor: String(open / 100),
        method: 'check',
        receivedOn: today,
        reason: '',
      },
    },
  );
  const { field } = fields;
  return (
    <FormDialog
      title="Record a payment"
      description={`${money(open, order.currency)} of ${order.invoice_number} is open.`}
      action="Record it"
      fields={fields}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Amount, in dollars" inputMode="decimal" {...field('amountMinor')} />
        <Field
          label="Paid by"
          as={Select}
          options={METHODS.map((value) => ({ value, label: PAYMENT_LABELS[value] }))}
          {...field('method')}
        />
        <Field label="Arrived on" type="date" {...field('receivedOn')} />
      </div>
      <Field
        label="Reason"
        hint="Such as the number of the check. Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
