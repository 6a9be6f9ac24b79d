import { useEffect, useState } from 'react';
import { loadOnceOnline } from '#lib/browser/load-module.ts';

/**
 * A module that's loaded as soon as it's needed and there's a connection; null until then.
 * @param load the same function on every render
 * @param onFailure called if it can't be loaded, which only a reload changes
 */
export function usePart<Part extends object>(
  load: () => Promise<Part>,
  isNeeded: boolean,
  onFailure?: () => void,
): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first load counts
  useEffect(() => {
    if (isNeeded) loadOnceOnline(load).then(setPart, onFailure ?? (() => {}));
  }, [isNeeded]);
  return part;
}
