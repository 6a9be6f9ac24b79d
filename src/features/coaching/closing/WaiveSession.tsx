import { useState } from 'react';
import * as v from 'valibot';
import { waiveSession } from '#data/session-grants.ts';
import { db } from '#lib/db.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

const schema = v.object({
  reason: v.pipe(textUpTo(500), v.minLength(3, 'Say why in a few words.')),
});

interface WaiveProps {
  sessionId: string;
  onWaived: () => void;
}

/** Gives back the session that this one used, such as when it wasn't a good fit. */
export function WaiveSession({ sessionId, onWaived }: WaiveProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setAsking(true)}>
        Don’t count this session
      </Button>
      {isAsking && (
        <WaiveDialog sessionId={sessionId} onWaived={onWaived} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function WaiveDialog({ sessionId, onWaived, onClose }: WaiveProps & { onClose: () => void }) {
  const fields = useSchemaForm(
    schema,
    async ({ reason }) => {
      await waiveSession(await db(), sessionId, reason);
      addToast({ tone: 'good', title: 'They can use this session again.' });
      onWaived();
      onClose();
    },
    { defaults: { reason: '' }, guarded: true, onError: reportError },
  );
  return (
    <FormDialog
      title="Don’t count this session?"
      description="The business can use it again, and we tell the owner. The reason is kept in the audit log."
      action="Don’t count it"
      fields={fields}
      onClose={onClose}
    >
      <Field label="Why" as={TextArea} rows={3} {...fields.field('reason')} />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
