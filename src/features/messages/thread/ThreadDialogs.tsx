import { useStore } from '@nanostores/react';
import { useState } from 'react';
import * as v from 'valibot';
import { createMessageReport } from '#data/messages.ts';
import { displayName } from '#domain/message.ts';
import { REPORT_CHOICES, REPORT_REASONS } from '#domain/message-report.ts';
import { db } from '#lib/db.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { newId } from '#lib/new-id.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import type { ConversationStore } from '../conversation/conversation-store.ts';
import type { ShownMessage } from '../conversation/shown-messages.ts';

interface DialogProps {
  onClose: () => void;
}

/** Owners get no label: members of a business share that role, and can't be told apart here. */
const ROLES = { owner: null, coach: 'Coach', admin: 'Support' } as const;

/** Everyone in the conversation, and who is present. */
export function PeopleDialog({
  store,
  me,
  onClose,
}: DialogProps & { store: ConversationStore; me: string }) {
  const people = useStore(store.data.$people);
  const present = useStore(store.$present);
  return (
    <DialogWindow open onOpenChange={onClose} title="People in this conversation">
      <ul className="flex flex-col gap-1">
        {people
          .filter(({ left }) => !left)
          .map(({ id, name, avatar_path, role }) => (
            <li key={id} className="flex min-h-12 items-center gap-3">
              <Avatar id={id} name={name} src={avatarSrc(avatar_path)} size={40} />
              <span className="min-w-0">
                <span className="block text-sm font-medium wrap-anywhere">
                  {displayName(name)}
                  {id === me && ' (you)'}
                </span>
                <span className="block text-xs text-muted">
                  {[ROLES[role], id !== me && present.has(id) && 'active now']
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
            </li>
          ))}
      </ul>
    </DialogWindow>
  );
}

const reportSchema = v.object({
  reason: v.picklist(REPORT_REASONS, 'Choose what’s wrong with it.'),
  note: textUpTo(1000, 'Keep it to 1,000 characters.'),
});

/** Reports a message. From then on, admins can read the conversation. */
export function ReportDialog({ message, onClose }: DialogProps & { message: ShownMessage }) {
  const [id] = useState(newId);
  const fields = useSchemaForm<v.InferOutput<typeof reportSchema>>(
    reportSchema,
    async ({ reason, note }) => {
      await createMessageReport(await db(), { id, messageId: message.id, reason, note });
      addToast({ tone: 'good', title: 'Reported. Our staff will look at it.' });
      onClose();
    },
    { guarded: true, defaults: { note: '' }, onError: reportError },
  );
  const { field } = fields;
  return (
    <FormDialog
      fields={fields}
      onClose={onClose}
      title="Report this message?"
      description="Our staff will be able to read this conversation, and we log it each time they do. We won’t tell the author who reported it."
      action="Report"
      danger
    >
      <RadioList
        legend="What’s wrong with it?"
        options={REPORT_REASONS.map((reason) => [reason, REPORT_CHOICES[reason]])}
        {...field('reason')}
      />
      <Field
        label="Anything else we should know?"
        optional
        as={TextArea}
        rows={3}
        {...field('note')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}
