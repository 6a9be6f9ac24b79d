import { useMemo, useState } from 'react';
import { newForecast } from '#domain/forecast.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { DownloadButton } from './forecast/DownloadButton.tsx';
import {
  bothFigures,
  ForecastHead,
  type ForecastInitial,
  savedWords,
} from './forecast/ForecastHead.tsx';
import { loadHistory } from './forecast/load-history.ts';
import { Outlook } from './forecast/Outlook.tsx';
import { PastMonths } from './forecast/PastMonths.tsx';
import { ReadMonths } from './forecast/ReadMonths.tsx';
import { NotStarted } from './NotStarted.tsx';

/** The cash forecast of a business for those who can only read it: its coach, or anyone once it's archived. */
function ForecastReadScreen({ initial }: { initial: ForecastInitial }) {
  const { worksheet, timeZone, today } = initial;
  // The business's own people can only read it once it's archived.
  const isOwn = worksheet.role !== null;
  const { document } = worksheet.sheet;
  const [history, setHistory] = useState(false);
  const part = useOpenedPart(loadHistory, history, () => setHistory(false));
  const forecast = document ?? newForecast(today);
  const { figures, others } = useMemo(() => bothFigures(forecast), [forecast]);
  return (
    <div data-wide className="flex flex-col gap-8">
      <ForecastHead
        worksheet={worksheet}
        buttons={
          document && (
            <>
              <DownloadButton forecast={document} business={worksheet.name} />
              <Button variant="secondary" needsScript onClick={() => setHistory(true)}>
                History
              </Button>
            </>
          )
        }
      >
        <p>
          {worksheet.archived
            ? 'This business is archived, so its forecast is read-only.'
            : 'You’re viewing this as the coach.'}{' '}
          {document && `${savedWords(worksheet, timeZone)}.`}
        </p>
      </ForecastHead>
      {document ? (
        <>
          <Outlook forecast={forecast} figures={figures} others={others} isOwn={isOwn} />
          <ReadMonths forecast={forecast} figures={figures} others={others?.closes ?? null} />
          <PastMonths past={forecast.past} onSave={null} />
        </>
      ) : (
        <NotStarted what="the forecast" client={worksheet.client} />
      )}
      {history && part && (
        <part.ForecastHistory
          businessId={worksheet.business_id}
          current={forecast}
          isOwn={isOwn}
          timeZone={timeZone}
          onRestore={null}
          onClose={() => setHistory(false)}
        />
      )}
    </div>
  );
}

export default screen(ForecastReadScreen);
