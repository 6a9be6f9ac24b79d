import { useStore } from '@nanostores/react';
import { useMemo, useState } from 'react';
import { addMonths, type Figures, type Forecast, isBlank, monthText } from '#domain/forecast.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadySelect } from '#ui/forms/ready-inputs.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { DownloadButton } from './forecast/DownloadButton.tsx';
import { CentsField } from './forecast/FigureField.tsx';
import { FilledMonths } from './forecast/FilledMonths.tsx';
import {
  bothFigures,
  ForecastHead,
  type ForecastInitial,
  savedWords,
} from './forecast/ForecastHead.tsx';
import {
  createForecastStore,
  type ForecastStore,
  forecastDeps,
} from './forecast/forecast-store.ts';
import { loadHistory } from './forecast/load-history.ts';
import { lowestWords, Outlook } from './forecast/Outlook.tsx';
import { PastMonths } from './forecast/PastMonths.tsx';
import { WhatIfs } from './forecast/WhatIfs.tsx';

const loadConflict = () => import('./forecast/ForecastConflict.tsx');
const loadRollDialog = () => import('./forecast/RollDialog.tsx');

const method = `${hrefFor('/dashboard/toolbox')}?item=cash-forecast`;

/** The cash forecast of a business for its members, who fill it in. */
function ForecastScreen({ initial }: { initial: ForecastInitial }) {
  const { worksheet, userId, timeZone, today } = initial;
  const store = useSavingStore(() =>
    createForecastStore(worksheet, today, forecastDeps(worksheet.business_id, userId)),
  );
  // Without `ssr`: a computed store has no initial value, so the screen would render a second time.
  const status = useStore(store.$status);
  const forecast = useStore(store.$forecast, { ssr: 'initial' });
  const { figures, others } = useMemo(() => bothFigures(forecast), [forecast]);
  // The answer comes first, unless it appears while someone types into what would move down.
  const [isAnswered] = useState(() => !isBlank(forecast));
  const outlook = <Outlook forecast={forecast} figures={figures} others={others} isOwn />;
  const [history, setHistory] = useState(false);
  const historyPart = useOpenedPart(loadHistory, history, () => setHistory(false));
  const theirs = status?.name === 'conflict' ? status.theirs : null;
  const conflict = useOpenedPart(loadConflict, theirs !== null, () => {});
  return (
    <div data-wide className="flex flex-col gap-8">
      <ForecastHead
        worksheet={worksheet}
        buttons={
          <>
            <DownloadButton forecast={forecast} business={worksheet.name} />
            <Button
              variant="secondary"
              needsScript
              onClick={() => {
                // The history should include what was just typed.
                store.flush();
                setHistory(true);
              }}
            >
              History
            </Button>
          </>
        }
      >
        <p role="status">
          {status ? <SaveWords status={status} /> : savedWords(worksheet, timeZone)}
        </p>
      </ForecastHead>
      {theirs ? (
        conflict && (
          <conflict.ForecastConflict theirs={theirs} today={today} onChoose={store.choose} />
        )
      ) : (
        <SaveNotice status={status} isTitled={false} />
      )}
      {isAnswered && outlook}
      <section aria-labelledby="basics" className="flex flex-col gap-4">
        <h2 id="basics" className="text-lg">
          Where it starts
        </h2>
        <p className="max-w-[68ch] text-sm text-muted">
          Put money in the month it arrives or leaves, not the month you earn or order it.{' '}
          <a className="link" href={method}>
            How it works, with an example
          </a>
        </p>
        <Basics store={store} forecast={forecast} today={today} />
      </section>
      {!isAnswered && outlook}
      <FilledMonths store={store} forecast={forecast} figures={figures} others={others} />
      <WhatIfs
        whatIf={forecast.whatIf}
        months={figures.months}
        onChange={(whatIf, field) => store.edit((now) => ({ ...now, whatIf }), field)}
      >
        {others && (
          <p>
            <strong>With these on:</strong> {lowestWords(others, forecast.floor, true)}
          </p>
        )}
      </WhatIfs>
      <Rolling store={store} forecast={forecast} figures={figures} />
      <PastMonths past={forecast.past} onSave={(change) => store.edit(change)} />
      {history && historyPart && (
        <historyPart.ForecastHistory
          businessId={worksheet.business_id}
          current={forecast}
          isOwn
          timeZone={timeZone}
          onRestore={store.restore}
          onClose={() => setHistory(false)}
        />
      )}
    </div>
  );
}

interface PartProps {
  store: ForecastStore;
  forecast: Forecast;
}

/** How far back and ahead a forecast can start. */
const MONTHS_AROUND = 12;

/** The first month, the money in the bank then, and the floor. */
function Basics({ store, forecast, today }: PartProps & { today: string }) {
  const { start, opening, floor } = forecast;
  const now = today.slice(0, 7);
  const near = Array.from({ length: 2 * MONTHS_AROUND + 1 }, (_, at) =>
    addMonths(now, at - MONTHS_AROUND),
  );
  const months = near.includes(start) ? near : [start, ...near];
  return (
    <div className="grid items-end gap-4 sm:grid-cols-3">
      <Field
        label="First month"
        hint="It only renames the columns."
        as={ReadySelect}
        value={start}
        options={months.map((month) => ({ value: month, label: monthText(month) }))}
        onChange={(event: { currentTarget: { value: string } }) => {
          const chosen = event.currentTarget.value;
          store.edit((it) => ({ ...it, start: chosen }));
        }}
      />
      <CentsField
        label="In the bank at the start"
        hint="Your balance on its first day."
        value={opening}
        onChange={(cents) => store.edit((it) => ({ ...it, opening: cents }), 'opening')}
      />
      <CentsField
        label="Your floor"
        hint="The balance where you’ll act."
        value={floor}
        onChange={(cents) => store.edit((it) => ({ ...it, floor: cents }), 'floor')}
      />
    </div>
  );
}

/** Moves on by a month. */
function Rolling({ store, forecast, figures }: PartProps & { figures: Figures }) {
  const [open, setOpen] = useState(false);
  const part = useOpenedPart(loadRollDialog, open, () => setOpen(false));
  const month = monthText(forecast.start);
  return (
    <section aria-labelledby="next" className="border-t border-line pt-6 print:hidden">
      <h2 id="next" className="text-lg">
        When {month} is over
      </h2>
      <p className="mt-1 max-w-[68ch] text-sm text-muted">
        Note what really happened, and the forecast moves up by a month.
      </p>
      <Button variant="secondary" className="mt-4" needsScript onClick={() => setOpen(true)}>
        Start the next twelve months
      </Button>
      {open && part && (
        <part.RollDialog
          forecast={forecast}
          planned={figures.closes[0] ?? 0}
          onSave={(change) => store.edit(change)}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

export default screen(ForecastScreen);
