import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { followBuild } from '#stores/build.ts';
import { keepOfflinePage } from '#stores/offline-page.ts';
import { $toasts, dismissToast } from '#stores/toasts.ts';
import { followUncaught } from '#stores/uncaught.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

/**
 * Shows notices about a newer build or an uncaught error on single-task pages such as the quiz,
 * which don't load the Toaster because it's larger than the quiz itself.
 */
function NewBuildScreen({ signedIn = false }: { signedIn?: boolean }) {
  const toasts = useStore($toasts, { ssr: 'initial' });
  useEffect(() => followBuild(), []);
  useEffect(() => {
    if (signedIn) keepOfflinePage();
  }, [signedIn]);
  useEffect(() => followUncaught(), []);
  return (
    <div
      role="status"
      className="no-print pointer-events-none fixed right-0 bottom-0 z-50 flex w-full max-w-md flex-col gap-4 p-4 sm:p-6"
    >
      {toasts.map(({ id, title, text, action }) => (
        <div
          key={id}
          className="card pointer-events-auto flex animate-rise flex-wrap items-center gap-x-2 py-2 pr-2 pl-5 float"
        >
          <div className="grow basis-40 text-sm">
            <p className="font-semibold">{title}</p>
            {text && <p className="text-muted">{text}</p>}
          </div>
          {action && (
            <Button variant="quiet" onClick={action.onPress}>
              {action.label}
            </Button>
          )}
          <Button variant="quiet" onClick={() => dismissToast(id)}>
            Later
          </Button>
        </div>
      ))}
    </div>
  );
}

export default screen(NewBuildScreen, () => null);
