import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { followBuild } from '#stores/build.ts';
import { keepOfflinePage } from '#stores/offline-page.ts';
import { $toasts, dismissToast } from '#stores/toasts.ts';
import { followUncaught } from '#stores/uncaught.ts';
import { PlainToasts } from '#ui/PlainToasts.tsx';

/** Shows notices about a newer build or an uncaught error, and keeps the offline page. */
export default function Notices({ signedIn }: { signedIn: boolean }) {
  const toasts = useStore($toasts, { ssr: 'initial' });
  useEffect(() => followBuild(), []);
  useEffect(() => {
    if (signedIn) keepOfflinePage();
  }, [signedIn]);
  useEffect(() => followUncaught(), []);
  return <PlainToasts toasts={toasts} onDismiss={dismissToast} className="bottom-0" />;
}
