import { useId, useRef, useState } from 'react';
import * as v from 'valibot';
import { createOrderFile, type Order, sendPurchaseOrder } from '#data/orders.ts';
import { db } from '#lib/db.ts';
import { AppError } from '#lib/errors.ts';
import { checkedKind } from '#lib/files/file-kind.ts';
import { acceptedText, ORDER_FILES, sizeText } from '#lib/files/file-text.ts';
import { newId } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FileInput } from '#ui/forms/FileInput.tsx';
import { Form } from '#ui/forms/Form.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useLeaveGuard } from '#ui/use-unsaved.ts';

const numberSchema = v.object({
  poNumber: v.pipe(textUpTo(60), v.minLength(1, 'Enter the number of your purchase order.')),
});

/** A file that passed the checks, with the id that it's stored under. */
interface Chosen {
  id: string;
  file: File;
  type: string;
}

interface PurchaseOrderProps {
  order: Order;
  onSent: (order: Order) => void;
}

/** Answers a quote with the number of a purchase order and its file, which can also come later. */
export function PurchaseOrderForm({ order, onSent }: PurchaseOrderProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [sent, setSent] = useState(0);
  const isAnswered = order.state === 'po_received';
  const fields = useSchemaForm(
    numberSchema,
    async ({ poNumber }) => {
      if (isAnswered && !chosen) {
        throw new AppError('invalid', 'Choose the file first.');
      }
      const client = await db();
      if (chosen) await upload(chosen);
      onSent(await sendPurchaseOrder(client, order, poNumber, chosen?.id ?? null));
      addToast({ tone: 'good', title: 'We have your purchase order.' });
    },
    { guarded: true, onError: reportError, defaults: { poNumber: order.po_number ?? '' } },
  );
  useLeaveGuard(chosen !== null && !fields.pending);

  async function upload(file: Chosen) {
    setSent(0);
    const { signal } = new AbortController();
    await createOrderFile(await db(), order.id, { ...file, onProgress: setSent, signal });
  }
  return (
    <Section
      id="purchase-order"
      title={isAnswered ? 'Your purchase order as a file' : 'Your purchase order'}
      className="card p-5 print:hidden"
    >
      <Form
        of={fields}
        submit={isAnswered ? 'Send the file' : 'Send the purchase order'}
        size="small"
        className="mt-3 items-start gap-4"
      >
        {!isAnswered && (
          <Field
            label="Purchase order number"
            hint={`It should cite our quote number, ${order.quote_number ?? ''}.`}
            maxLength={60}
            {...fields.field('poNumber')}
          />
        )}
        <FileChoice chosen={chosen} onChoose={setChosen} isOptional={!isAnswered} />
        {fields.pending && chosen && (
          <p role="status" className="text-sm text-muted">
            Sending {chosen.file.name}, {Math.round((100 * sent) / chosen.file.size)}%
          </p>
        )}
      </Form>
    </Section>
  );
}

interface ChoiceProps {
  chosen: Chosen | null;
  onChoose: (chosen: Chosen | null) => void;
  isOptional: boolean;
}

function FileChoice({ chosen, onChoose, isOptional }: ChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { failure, run } = useAction(reportError);
  const choose = (file: File | undefined) =>
    run(async () => {
      if (!file) return;
      onChoose(null);
      onChoose({ id: newId(), file, type: await checkedKind(file, ORDER_FILES) });
    });
  return (
    <div>
      <label htmlFor={id} className="text-sm font-semibold">
        The purchase order as a file
        {isOptional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <p id={`${id}-kinds`} className="text-xs text-muted">
        {acceptedText(ORDER_FILES)}. Only you and our staff can open it.
      </p>
      <p className="mt-2 flex flex-wrap items-center gap-3 text-sm">
        <FileInput
          ref={input}
          id={id}
          accept={ORDER_FILES.types?.join()}
          onFiles={([file]) => void choose(file)}
        />
        <Button
          size="small"
          variant="secondary"
          needsScript
          aria-describedby={`${id}-kinds`}
          onClick={() => input.current?.click()}
        >
          {chosen ? 'Choose another file' : 'Choose a file'}
        </Button>
        {chosen && (
          <span className="wrap-anywhere">
            {chosen.file.name}, {sizeText(chosen.file.size)}
          </span>
        )}
      </p>
      <FailureLine failure={failure} className="text-sm" />
    </div>
  );
}
