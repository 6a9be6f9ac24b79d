/**
 * Uncaught errors: what an event handler threw, or a promise that was not awaited. The page still
 * works, so only this tells the person that what they did may not have happened.
 */
import { toAppError } from '#lib/errors.ts';
import { $toasts, addToast } from './toasts.ts';

interface UncaughtEffects {
  /** Where a browser tells of such errors. */
  page: EventTarget;
  /** The address of this site: extensions and other sites fail on their own account. */
  origin: string;
  reload(): void;
}

const pageEffects = (): UncaughtEffects => ({
  page: window,
  origin: location.origin,
  reload: () => location.reload(),
});

/** Shows a toast for such an error, one at a time. Gives the cleanup. */
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
    // Aborting something is on purpose.
    if (!(reason instanceof Error && reason.name === 'AbortError')) tell(reason);
  };
  const listening = new AbortController();
  effects.page.addEventListener('error', onError, listening);
  effects.page.addEventListener('unhandledrejection', onRejection, listening);
  return () => listening.abort();
}
