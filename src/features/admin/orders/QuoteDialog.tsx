import * as v from 'valibot';
import { type DeskOrder, quoteOrder } from '#data/order-desk.ts';
import { db } from '#lib/db.ts';
import { minorOf } from '#lib/locale/money.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface QuoteProps {
  order: DeskOrder;
  onChange: (order: DeskOrder) => void;
  onClose: () => void;
}

const amount = (text: string, currency: string) => minorOf(text || '0', currency) ?? -1;

const schemaIn = (currency: string) =>
  v.object({
    quantity: v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, 'Enter a number.')),
    unitMinor: v.pipe(
      v.string(),
      v.check((text) => amount(text, currency) > 0, 'Enter the price of one, such as 340.'),
    ),
    setupMinor: v.pipe(
      v.string(),
      v.check((text) => amount(text, currency) >= 0, 'Enter an amount, or leave it out.'),
    ),
    taxExempt: v.boolean(),
    reason: v.pipe(textUpTo(2000), v.minLength(3, 'Say why, for the audit log.')),
  });

/** Prices an order and sends its quote, or a new version of it. */
export function QuoteDialog({ order, onChange, onClose }: QuoteProps) {
  const [line, setup] = order.lines;
  const text = (minor: number | undefined) => (minor ? String(minor / 100) : '');
  const fields = useSchemaForm(
    schemaIn(order.currency),
    async (input) => {
      const quoted = await quoteOrder(await db(), order.id, {
        quantity: Number(input.quantity),
        unitMinor: amount(input.unitMinor, order.currency),
        setupMinor: amount(input.setupMinor, order.currency),
        taxExempt: input.taxExempt,
        reason: input.reason,
      });
      addToast({ tone: 'good', title: `Quote ${quoted.quote_number} is on its way.` });
      onChange(quoted);
      onClose();
    },
    {
      guarded: true,
      onError: reportError,
      defaults: {
        quantity: String(line?.quantity ?? 1),
        unitMinor: text(line?.unit_minor),
        setupMinor: text(setup?.unit_minor),
        taxExempt: false,
        reason: '',
      },
    },
  );
  const { field } = fields;
  return (
    <FormDialog
      title="Quote this order"
      description={`${line?.description ?? 'The order'}. The buyer gets the quote, which is good for 60 days.`}
      action="Send the quote"
      fields={fields}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="How many" inputMode="numeric" {...field('quantity')} />
        <Field label="Price of one, in dollars" inputMode="decimal" {...field('unitMinor')} />
        <Field label="Setup, in dollars" inputMode="decimal" optional {...field('setupMinor')} />
      </div>
      <Checkbox
        label="Leave out tax: I’ve checked their certificate"
        {...(order.tax_exempt && { hint: 'They say that they’re exempt.' })}
        {...fields.form.register('taxExempt')}
      />
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
