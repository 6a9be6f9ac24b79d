import { type FormEvent, useId, useState } from 'react';
import {
  type ForecastRow,
  LONGEST_NAME,
  ROW_KIND_LABELS,
  ROW_KINDS,
  type RowKind,
  type Side,
} from '#domain/forecast.ts';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';

interface RowDialogProps {
  /** A row to change, or the side that gets a new one. */
  row: ForecastRow | null;
  side: Side;
  onSave: (change: { name: string; kind: RowKind }) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** Names a row and says what it is, for the what-ifs; or removes it. */
export function RowDialog({ row, side, onSave, onRemove, onClose }: RowDialogProps) {
  const [name, setName] = useState(row?.name ?? '');
  const [kind, setKind] = useState<RowKind>(row?.kind ?? (side === 'in' ? 'sale' : 'fixed'));
  const [tried, setTried] = useState(false);
  const form = useId();
  const bare = name.replace(/\s+/g, ' ').trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (bare === '') return;
    onSave({ name: bare, kind });
    onClose();
  };
  return (
    <DialogWindow
      open
      onOpenChange={onClose}
      title={row ? 'Change this row' : side === 'in' ? 'Add money in' : 'Add money out'}
      footer={
        <>
          {row && (
            <Button
              variant="danger"
              className="sm:mr-auto"
              onClick={() => {
                onRemove();
                onClose();
              }}
            >
              Remove it
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form}>
            {row ? 'Save' : 'Add it'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate method="post" onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          value={name}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          error={tried && bare === '' ? 'Give it a name.' : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Field
          label="What it is"
          hint="The what-ifs need to know."
          as={Select}
          value={kind}
          options={ROW_KINDS[side].map((value) => ({ value, label: ROW_KIND_LABELS[value] }))}
          onChange={(event: { currentTarget: { value: string } }) => {
            const chosen = ROW_KINDS[side].find((each) => each === event.currentTarget.value);
            if (chosen) setKind(chosen);
          }}
        />
      </form>
    </DialogWindow>
  );
}
