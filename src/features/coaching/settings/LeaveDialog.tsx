import { type BaseSyntheticEvent, useState } from 'react';
import { leaveClients } from '#data/coach-settings.ts';
import { type ClientRow, listClients } from '#data/coaching-clients.ts';
import { clientFilter } from '#domain/client-list.ts';
import { db } from '#lib/db.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useAction } from '#ui/use-action.ts';
import { useAnswer } from '#ui/use-answer.ts';
import { useLeaveGuard } from '#ui/use-unsaved.ts';
import { STATE_LABELS } from '../coach/StateMark.tsx';

interface DialogProps {
  onClose: () => void;
  onLeft: () => void;
}

/** More clients than anyone has; the database takes as many notes. */
const MOST = 200;
const NOTE = 4000;

const allOpen = async () => {
  const filter = clientFilter.read(new URLSearchParams('view=table&sort=name'));
  return (await listClients(await db(), filter, MOST)).rows;
};

/** A handover note for each client. */
export function LeaveDialog({ onClose, onLeft }: DialogProps) {
  const { answer: clients, failure, retry } = useAnswer(allOpen, reportError, []);
  const [notes, setNotes] = useState<Record<string, string>>({});
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const action = useAction(reportError);
  useLeaveGuard(Object.values(notes).some((note) => note.trim() !== ''));

  async function submit(event?: BaseSyntheticEvent) {
    event?.preventDefault();
    if (!clients) return;
    const blank = clients.filter(({ id }) => (notes[id] ?? '').trim() === '');
    setMissing(new Set(blank.map(({ id }) => id)));
    if (blank.length > 0) return;
    const handovers = clients.map(({ id }) => ({ engagementId: id, note: notes[id] ?? '' }));
    await action.run(async () => {
      await leaveClients(await db(), handovers);
      onLeft();
      onClose();
    });
  }

  return (
    <FormDialog
      firm
      fields={{ submit, pending: action.pending }}
      title="Hand over your clients"
      description="The next coach and the admins read the notes; owners don’t. Your private notes aren’t handed over."
      action="Hand over"
      onClose={onClose}
    >
      <Failure failure={failure} onRetry={retry} title="We couldn’t load your clients" />
      {!clients && !failure && <Skeleton className="h-24" />}
      {clients?.map((client) => (
        <NoteField
          key={client.id}
          client={client}
          value={notes[client.id] ?? ''}
          isMissing={missing.has(client.id)}
          onChange={(note) => setNotes((all) => ({ ...all, [client.id]: note }))}
        />
      ))}
      <Failure failure={action.failure} title="Not handed over" />
    </FormDialog>
  );
}

interface NoteProps {
  client: ClientRow;
  value: string;
  isMissing: boolean;
  onChange: (note: string) => void;
}

const NoteField = ({ client, value, isMissing, onChange }: NoteProps) => (
  <Field
    label={client.business.name}
    hint={`${STATE_LABELS[client.state]}. What they want, what works with them, and what’s next.`}
    as={TextArea}
    rows={3}
    maxLength={NOTE}
    value={value}
    error={isMissing && value.trim() === '' ? 'Write a few words for the next coach.' : undefined}
    onChange={({ target }: { target: HTMLTextAreaElement }) => onChange(target.value)}
  />
);
