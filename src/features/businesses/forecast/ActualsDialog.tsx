import { type FormEvent, useId, useState } from 'react';
import { SIDES, type Side } from '#domain/forecast.ts';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { fieldText, readCents } from './amounts.ts';

/** A row's field. */
export interface ActualField {
  key: string;
  side: Side;
  name: string;
  /** What was planned, in words. */
  hint: string;
  /** What was entered before, in cents; null for nothing. */
  cents: number | null;
}

interface ActualsDialogProps {
  title: string;
  description: string;
  submit: string;
  rows: readonly ActualField[];
  balance: Pick<ActualField, 'hint' | 'cents'>;
  /** Gets the amounts by the keys of the rows, in cents; null where a field is blank. */
  onSave: (amounts: Record<string, number | null>, balance: number | null) => void;
  onClose: () => void;
}

const BALANCE = 'balance';

/** Asks what really happened in a month. Blank fields aren't known. */
export function ActualsDialog(props: ActualsDialogProps) {
  const { rows, balance, onSave, onClose } = props;
  const [typed, setTyped] = useState<Record<string, string>>(() =>
    Object.fromEntries([
      [BALANCE, fieldText(balance.cents)],
      ...rows.map(({ key, cents }) => [key, fieldText(cents)]),
    ]),
  );
  const [tried, setTried] = useState(false);
  const form = useId();
  const read = (key: string) => readCents(typed[key] ?? '');
  const isWrong = [BALANCE, ...rows.map(({ key }) => key)].some(
    (key) => typeof read(key) === 'string',
  );
  const centsOf = (key: string) => {
    const cents = read(key);
    return typeof cents === 'number' ? cents : null;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isWrong) return;
    onSave(Object.fromEntries(rows.map(({ key }) => [key, centsOf(key)])), centsOf(BALANCE));
    onClose();
  };
  const field = (key: string, label: string, hint: string) => (
    <Field
      key={key}
      label={label}
      hint={hint}
      inputMode="decimal"
      autoComplete="off"
      value={typed[key] ?? ''}
      error={
        tried && typeof read(key) === 'string'
          ? 'Use digits, such as 1,250 or 12.50, or leave it blank.'
          : undefined
      }
      onChange={(event) => setTyped({ ...typed, [key]: event.currentTarget.value })}
    />
  );
  return (
    <DialogWindow
      open
      firm
      onOpenChange={onClose}
      title={props.title}
      description={props.description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form}>
            {props.submit}
          </Button>
        </>
      }
    >
      <form id={form} noValidate method="post" onSubmit={submit} className="flex flex-col gap-5">
        {field(BALANCE, 'In the bank at the end', balance.hint)}
        {SIDES.map((side) => {
          const own = rows.filter((row) => row.side === side);
          return (
            own.length > 0 && (
              <fieldset key={side} className="grid gap-4 sm:grid-cols-2">
                <legend className="mb-2 font-semibold">
                  {side === 'in' ? 'Money in' : 'Money out'}
                </legend>
                {own.map(({ key, name, hint }) => field(key, name, hint))}
              </fieldset>
            )
          );
        })}
      </form>
    </DialogWindow>
  );
}
