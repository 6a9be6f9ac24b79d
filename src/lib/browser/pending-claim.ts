/**
 * The claim of a confirmation link while its question waits for an answer: it leaves the address at
 * once, where it would be copied along, and stays in this tab until it's used or refused.
 */

const STORAGE_KEY = 'trellis-claim';

/** Remembers the claim of the address and takes it out of there; gives the one that waits, if any. */
export function pendingClaim(): string | null {
  const address = new URL(location.href);
  const claim = address.searchParams.get('claim');
  if (claim === null) return stored((storage) => storage.getItem(STORAGE_KEY));
  address.searchParams.delete('claim');
  history.replaceState(history.state, '', address);
  stored((storage) => storage.setItem(STORAGE_KEY, claim));
  return claim;
}

/** Forgets it: it was used or refused, or holds nothing. */
export function forgetClaim(): void {
  stored((storage) => storage.removeItem(STORAGE_KEY));
}

/** A browser that refuses storage asks on this page alone. */
function stored<Result>(work: (storage: Storage) => Result): Result | null {
  try {
    return work(window.sessionStorage);
  } catch {
    return null;
  }
}
