/**
 * The claim token of a confirmation link, until the person decides about it. We remove it from the
 * URL at once, so that nobody copies it along, and keep it in this tab until it's used or refused.
 */

const STORAGE_KEY = 'trellis-claim';

/** Moves the claim from the URL to session storage. Returns the pending claim, if any. */
export function pendingClaim(): string | null {
  const address = new URL(location.href);
  const claim = address.searchParams.get('claim');
  if (claim === null) return stored((storage) => storage.getItem(STORAGE_KEY));
  address.searchParams.delete('claim');
  history.replaceState(history.state, '', address);
  stored((storage) => storage.setItem(STORAGE_KEY, claim));
  return claim;
}

/** Forgets the claim, because it was used, refused or empty. */
export function forgetClaim(): void {
  stored((storage) => storage.removeItem(STORAGE_KEY));
}

/** If the browser denies storage, the claim lasts for this page only. */
function stored<Result>(work: (storage: Storage) => Result): Result | null {
  try {
    return work(window.sessionStorage);
  } catch {
    return null;
  }
}
