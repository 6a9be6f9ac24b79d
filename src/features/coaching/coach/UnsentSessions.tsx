import { useEffect, useState } from 'react';
import { whenIdle } from '#lib/browser/when-idle.ts';
import { usePart } from '#ui/use-part.ts';
import type { UnsentProps } from './UnsentList.tsx';

const loadList = () => import('./UnsentList.tsx');

/** Sessions that are written down only in this browser. The list loads once the page works. */
export function UnsentSessions(props: UnsentProps) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const part = usePart(loadList, isIdle);
  return part && <part.UnsentList {...props} />;
}
