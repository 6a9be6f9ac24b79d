import { addMonths, type Forecast, monthText, rollForward } from '#domain/forecast.ts';
import { ActualsDialog } from './ActualsDialog.tsx';
import { dollars } from './amounts.ts';

interface RollDialogProps {
  forecast: Forecast;
  /** The planned balance at the end of the first month. */
  planned: number;
  onSave: (change: (forecast: Forecast) => Forecast) => void;
  onClose: () => void;
}

/** Asks what happened in the first month, and moves the forecast on. */
export const RollDialog = ({ forecast, planned, onSave, onClose }: RollDialogProps) => (
  <ActualsDialog
    title={`What happened in ${monthText(forecast.start)}?`}
    description={`Leave out what you don’t know. The new last month, ${monthText(addMonths(forecast.start, 12))}, starts with these amounts.`}
    submit={`Move on to ${monthText(addMonths(forecast.start, 1))}`}
    balance={{ hint: `Planned ${dollars(planned)}`, cents: null }}
    rows={forecast.rows.map(({ id, side, name, amounts: [cents] }) => ({
      key: id,
      side,
      name,
      hint: cents == null ? 'Nothing planned' : `Planned ${dollars(cents)}`,
      cents: null,
    }))}
    onSave={(amounts, balance) => onSave((now) => rollForward(now, { amounts, balance }))}
    onClose={onClose}
  />
);
