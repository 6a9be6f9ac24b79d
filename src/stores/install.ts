/** The browser's offer to install the site as an app, which an account's "Install" button takes up. */
import { atom } from 'nanostores';

/**
 * What browsers based on Chromium announce it with; others install sites from a menu of their own.
 * https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent
 */
interface InstallOffer extends Event {
  /** Asks the person; once only. */
  prompt(): Promise<unknown>;
}

declare global {
  interface Window {
    /** The offer, if it came before this module: layouts/before-scripts.ts keeps it. */
    installOffer?: InstallOffer;
  }
  interface WindowEventMap {
    beforeinstallprompt: InstallOffer;
  }
}

/** The offer; null if there's none, or once it's taken up. */
export const $installOffer = atom<InstallOffer | null>(null);

/** Follows the offer as it's made and withdrawn. Returns the cleanup. */
export function followInstallOffer(): () => void {
  const over = new AbortController();
  $installOffer.set(window.installOffer ?? null);
  addEventListener('beforeinstallprompt', (offer) => $installOffer.set(offer), over);
  addEventListener('appinstalled', () => $installOffer.set(null), over);
  return () => over.abort();
}

/** Has the browser ask whether to install the app. The offer is used up, whatever the answer. */
export async function install(): Promise<void> {
  const offer = $installOffer.get();
  $installOffer.set(null);
  delete window.installOffer;
  await offer?.prompt();
}
