import { lazy, Suspense, useEffect, useState } from 'react';
import { screen } from '#ui/ScreenBoundary.tsx';

const Notices = lazy(() => import('./Notices.tsx'));

/** How long a visitor's page waits for a first answer before it loads the notices, in ms. */
const UNUSED_FOR = 60_000;

/**
 * Shows notices about a newer build or an uncaught error on single-task pages such as the quiz,
 * which don't load the Toaster because it's larger than the quiz itself. A visitor's page loads them
 * after the first answer, when the visitor comes back to it, or after a minute: before that, there's
 * nothing to lose.
 */
function NewBuildScreen({ signedIn = false }: { signedIn?: boolean }) {
  const [isUsed, setUsed] = useState(false);
  useEffect(() => {
    if (!signedIn) return followUse(() => setUsed(true));
    setUsed(true);
  }, [signedIn]);
  return (
    <Suspense>{isUsed ? <Notices signedIn={signedIn} /> : <span className="hidden" />}</Suspense>
  );
}

/** Calls back once the page is used. Returns the cleanup. */
function followUse(used: () => void): () => void {
  const timer = setTimeout(used, UNUSED_FOR);
  document.addEventListener('change', used);
  document.addEventListener('visibilitychange', used);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('change', used);
    document.removeEventListener('visibilitychange', used);
  };
}

export default screen(NewBuildScreen, () => null);
