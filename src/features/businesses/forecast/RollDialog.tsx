import { type FormEvent, useId, useState } from 'react';
import {
  addMonths,
  type Forecast,
  type ForecastRow,
  monthText,
  rollForward,
  rowsOf,
  SIDES,
} from '#domain/forecast.ts';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { dollars, readCents } from './amounts.ts';

interface RollDialogProps {
  forecast: Forecast;
  /** The planned balance at the end of the first month. */
  planned: number;
  onSave: (change: (forecast: Forecast) => Forecast) => void;
  onClose: () => void;
}

const BALANCE = 'balance';

/** Asks what happened in the first month, and moves the forecast on. Blank fields aren't known. */
export function RollDialog({ forecast, planned, onSave, onClose }: RollDialogProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [tried, setTried] = useState(false);
  const form = useId();
  const keys = [BALANCE, ...forecast.rows.map(({ id }) => id)];
  const read = (key: string) => readCents(typed[key] ?? '');
  const isWrong = keys.some((key) => typeof read(key) === 'string');
  const centsOf = (key: string) => {
    const cents = read(key);
    return typeof cents === 'number' ? cents : null;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isWrong) return;
    const amounts = Object.fromEntries(forecast.rows.map(({ id }) => [id, centsOf(id)]));
    onSave((now) => rollForward(now, { amounts, balance: centsOf(BALANCE) }));
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
  const plannedOf = ({ amounts: [cents] }: ForecastRow) =>
    cents == null ? 'Nothing planned' : `Planned ${dollars(cents)}`;
  return (
    <DialogWindow
      open
      firm
      onOpenChange={onClose}
      title={`What happened in ${monthText(forecast.start)}?`}
      description={`Leave out what you don’t know. The new last month, ${monthText(addMonths(forecast.start, 12))}, starts with these amounts.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form}>
            Move on to {monthText(addMonths(forecast.start, 1))}
          </Button>
        </>
      }
    >
      <form id={form} noValidate method="post" onSubmit={submit} className="flex flex-col gap-5">
        {field(BALANCE, 'In the bank at the end', `Planned ${dollars(planned)}`)}
        {SIDES.map((side) => (
          <fieldset key={side} className="grid gap-4 sm:grid-cols-2">
            <legend className="mb-2 font-semibold">
              {side === 'in' ? 'Money in' : 'Money out'}
            </legend>
            {rowsOf(forecast, side).map((row) => field(row.id, row.name, plannedOf(row)))}
          </fieldset>
        ))}
      </form>
    </DialogWindow>
  );
}
