import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Autosave, FieldState } from '#sync/autosave.ts';

/** Fields that are saved as you type, on a page: what was typed goes out when the page is left. */
export function useAutosave<Field extends string, Value, Stored, Base, Answer>(
  make: () => Autosave<Field, Value, Stored, Base, Answer>,
): {
  autosave: Autosave<Field, Value, Stored, Base, Answer>;
  fields: Record<Field, FieldState<Value, Stored>>;
} {
  const [autosave] = useState(make);
  const fields = useStore(autosave.$fields, { ssr: 'initial' });
  useEffect(() => {
    const close = autosave.open();
    // A phone gives no other sign before it ends a page.
    const hidden = () => document.visibilityState === 'hidden' && autosave.flush();
    document.addEventListener('visibilitychange', hidden);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      close();
    };
  }, [autosave]);
  return { autosave, fields };
}
