/**
 * Uncaught errors from event handlers and unhandled promise rejections. The page still works, so
 * only this toast tells the person that their last action may have failed.
 */
import { toAppError } from '#lib/errors.ts';
import { $toasts, addToast } from './toasts.ts';

interface UncaughtEffects {
  /** The target of the browser's error events. */
  page: EventTarget;
  /** This site's origin. Errors of extensions and other sites aren't ours. */
  origin: string;
  reload(): void;
}

const pageEffects = (): UncaughtEffects => ({
  page: window,
  origin: location.origin,
  reload: () => location.reload(),
});

/** Shows a toast for an uncaught error, one at a time. Returns the cleanup. */
export function followUncaught(effects: UncaughtEffects = pageEffects()): () => void {
  let told: string | null = null;

  function tell(error: unknown) {
    if (told !== null && $toasts.get().some(({ id }) => id === told)) return;
    const { kind, message } = toAppError(error);
    told = addToast({
      tone: 'bad',
      title: 'That didn’t work',
      text:
        kind === 'unexpected'
          ? 'Something went wrong on our end, and your last step may not be saved. Reload the page to check.'
          : message,
      lasting: true,
      action: { label: 'Reload', onPress: effects.reload },
    });
  }

  const onError = (event: Event) => {
    const { error, filename } = event as ErrorEvent;
    if (error instanceof Error && filename.startsWith(`${effects.origin}/`)) tell(error);
  };
  const onRejection = (event: Event) => {
    const { reason } = event as PromiseRejectionEvent;
    // An abort is intentional.
    if (!(reason instanceof Error && reason.name === 'AbortError')) tell(reason);
  };
  const listening = new AbortController();
  effects.page.addEventListener('error', onError, listening);
  effects.page.addEventListener('unhandledrejection', onRejection, listening);
  return () => listening.abort();
}
