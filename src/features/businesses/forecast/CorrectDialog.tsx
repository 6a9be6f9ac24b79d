import { correctPast, type Forecast, monthText, type PastMonth } from '#domain/forecast.ts';
import { ActualsDialog } from './ActualsDialog.tsx';
import { dollars } from './amounts.ts';

interface CorrectDialogProps {
  month: PastMonth;
  onSave: (change: (forecast: Forecast) => Forecast) => void;
  onClose: () => void;
}

/** Corrects what was entered for a month that's over, or adds it. */
export const CorrectDialog = ({ month, onSave, onClose }: CorrectDialogProps) => (
  <ActualsDialog
    title={`What happened in ${monthText(month.month)}?`}
    description="The plan of that month stays as it was. Leave blank what you don’t know."
    submit="Save"
    balance={{ hint: `Planned ${dollars(month.planned)}`, cents: month.actual }}
    rows={month.rows.map(({ side, name, planned, actual }, at) => ({
      key: String(at),
      side,
      name,
      hint: planned === null ? 'Nothing planned' : `Planned ${dollars(planned)}`,
      cents: actual,
    }))}
    onSave={(amounts, balance) =>
      onSave((now) =>
        correctPast(now, month.month, {
          amounts: month.rows.map((_, at) => amounts[at] ?? null),
          balance,
        }),
      )
    }
    onClose={onClose}
  />
);
