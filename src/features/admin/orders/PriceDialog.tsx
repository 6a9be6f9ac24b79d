import * as v from 'valibot';
import { type PriceRow, setPrice } from '#data/prices.ts';
import { PERIOD_RHYTHM } from '#domain/order.ts';
import { db } from '#lib/db.ts';
import { minorOf, money } from '#lib/locale/money.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface PriceProps {
  price: PriceRow;
  onChange: (prices: PriceRow[]) => void;
  onClose: () => void;
}

const schemaIn = (currency: string) =>
  v.object({
    amount: v.pipe(
      v.string(),
      v.check((text) => (minorOf(text, currency) ?? 0) > 0, 'Enter the price, such as 285.'),
    ),
    reason: v.pipe(textUpTo(2000), v.minLength(3, 'Say why, for the audit log.')),
  });

/** Changes a price from now on. */
export function PriceDialog({ price, onChange, onClose }: PriceProps) {
  const { name, every, amount_minor, currency } = price;
  const fields = useSchemaForm<{ amount: string; reason: string }>(
    schemaIn(currency),
    async ({ amount, reason }) => {
      onChange(await setPrice(await db(), price, minorOf(amount, currency) ?? 0, reason));
      addToast({ tone: 'good', title: 'The new price counts from now on.' });
      onClose();
    },
    {
      guarded: true,
      onError: reportError,
      defaults: { amount: String(amount_minor / 100), reason: '' },
    },
  );
  return (
    <FormDialog
      title={`Change the price of ${name}?`}
      description={`It’s ${money(amount_minor, currency)}${PERIOD_RHYTHM[every]} now, before tax.`}
      action="Change it"
      fields={fields}
      onClose={onClose}
    >
      <Field label="New price, in dollars" inputMode="decimal" {...fields.field('amount')} />
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
