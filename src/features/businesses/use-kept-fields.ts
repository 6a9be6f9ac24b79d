import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { KeptField, KeptFields } from '#sync/kept-fields.ts';
import { useLeaveGuard } from '#ui/use-unsaved.ts';

/**
 * Fields that are saved as one types, on a page: what was typed is put away when the page is left.
 */
export function useKeptFields<Field extends string, Stored>(
  make: () => KeptFields<Field, Stored>,
): { kept: KeptFields<Field, Stored>; fields: Record<Field, KeptField<Stored>> } {
  const [kept] = useState(make);
  const fields = useStore(kept.$fields, { ssr: 'initial' });
  useEffect(() => {
    const close = kept.open();
    // A phone gives no other sign before it ends a page.
    const hidden = () => document.visibilityState === 'hidden' && kept.flush();
    document.addEventListener('visibilitychange', hidden);
    addEventListener('pagehide', kept.flush);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      removeEventListener('pagehide', kept.flush);
      close();
    };
  }, [kept]);

  const fragile = (Object.values(fields) as KeptField<Stored>[]).some(
    ({ mark }) => mark?.name === 'this-tab',
  );
  useLeaveGuard(fragile);
  return { kept, fields };
}
