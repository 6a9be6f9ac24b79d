import type { Forecast } from '#domain/forecast.ts';
import { loadModule } from '#lib/browser/load-module.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { useAction } from '#ui/use-action.ts';

interface DownloadProps {
  forecast: Forecast;
  /** The business's name. */
  business: string;
}

/** Saves the forecast as a spreadsheet. What makes it is loaded for that. */
export function DownloadButton({ forecast, business }: DownloadProps) {
  const { pending, failure, run } = useAction(reportError);
  const make = async () => {
    const { saveForecast } = await loadModule(() => import('./workbook.ts'));
    await saveForecast(forecast, business);
  };
  return (
    <div className="flex flex-col gap-2">
      <Button variant="secondary" needsScript pending={pending} onClick={() => void run(make)}>
        {/* In one part: the button puts a gap between parts. */}
        <span>
          Download<span className="max-sm:sr-only"> as a spreadsheet</span>
        </span>
      </Button>
      <Failure failure={failure} title="We couldn’t make the file" />
    </div>
  );
}
