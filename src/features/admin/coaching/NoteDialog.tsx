import { useState } from 'react';
import * as v from 'valibot';
import { readSessionNote } from '#data/coaching-sessions.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';

interface NoteProps {
  sessionId: string;
  /** The coach who wrote it. */
  coach: string;
  timeZone: string;
  onClose: () => void;
}

const input = v.object({
  reason: v.pipe(
    textUpTo(2000, 'Keep it to 2,000 characters.'),
    v.minLength(3, 'Say why, for the audit log.'),
  ),
});

type Note = Awaited<ReturnType<typeof readSessionNote>>;

/** Asks for a reason, which the audit log keeps, and then shows a coach's private note. */
export function NoteDialog({ sessionId, coach, timeZone, onClose }: NoteProps) {
  const [note, setNote] = useState<Note | null>(null);
  const fields = useSchemaForm<v.InferOutput<typeof input>>(
    input,
    async ({ reason }) => setNote(await readSessionNote(await db(), sessionId, reason)),
    { defaults: { reason: '' }, onError: reportError },
  );
  if (note) {
    return (
      <DialogWindow
        open
        onOpenChange={onClose}
        title={`${coach}’s private note`}
        description={
          note.updated_at ? `Last changed on ${momentText(note.updated_at, timeZone)}.` : undefined
        }
        footer={<Button onClick={onClose}>Close</Button>}
      >
        <p className="text-sm whitespace-pre-line wrap-anywhere">
          {note.body ?? 'There’s no note anymore.'}
        </p>
      </DialogWindow>
    );
  }
  return (
    <FormDialog
      title={`Read ${coach}’s private note?`}
      description="Coaches write these for themselves: nobody else reads them, not even the next coach. Read one only if you have to, for example after a complaint."
      action="Read the note"
      danger
      fields={fields}
      onClose={onClose}
    >
      <Field
        label="Reason"
        hint="The audit log keeps it with your name."
        as={TextArea}
        rows={3}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
