import { usePart } from '#ui/use-part.ts';
import type { UnsentProps } from './UnsentList.tsx';

const loadList = () => import('./UnsentList.tsx');

/** Sessions that are written down only in this browser. The list loads after the page. */
export function UnsentSessions(props: UnsentProps) {
  const part = usePart(loadList, true);
  return part && <part.UnsentList {...props} />;
}
