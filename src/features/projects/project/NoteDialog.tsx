import { useId, useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';

interface NoteProps {
  title: string;
  label: string;
  hint: string;
  /** The words of the button that does it. */
  action: string;
  /** Characters at most. */
  most: number;
  onCancel: () => void;
  onNote: (note: string) => void;
}

/** Asks why: what blocks something, or why it is taken up again. */
export function NoteDialog({ title, label, hint, action, most, onCancel, onNote }: NoteProps) {
  const [note, setNote] = useState('');
  const [error, setError] = useState<string>();
  const form = useId();
  return (
    <Dialog
      open
      firm={note !== ''}
      onOpenChange={onCancel}
      title={title}
      footer={
        <>
          <Button variant="secondary" onClick={onCancel}>
            Back
          </Button>
          <Button type="submit" form={form}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const text = note.trim();
          if (text === '') setError('Write a few words; others read them too.');
          else if (text.length > most)
            setError(`Keep it to ${most.toLocaleString('en-US')} characters.`);
          else onNote(text);
        }}
      >
        <Field
          label={label}
          hint={hint}
          as={TextArea}
          rows={3}
          value={note}
          error={error}
          onChange={({ target }: { target: HTMLTextAreaElement }) => setNote(target.value)}
        />
      </form>
    </Dialog>
  );
}

/** What the dialog says for a step of a project. */
export function noteWords(to: 'blocked' | string) {
  return to === 'blocked'
    ? {
        title: 'What blocks it?',
        label: 'What has to happen first',
        hint: 'It stands on the project until it goes on.',
        action: 'Mark as blocked',
        most: 1000,
      }
    : {
        title: 'Why is it taken up again?',
        label: 'What is still to do',
        hint: 'It stands in the history of the project.',
        action: 'Take up again',
        most: 1000,
      };
}
