import type { AppError } from '#lib/errors.ts';
import { Notice } from '#ui/Notice.tsx';

/** What failed and belongs to no field; announced when it appears. */
export function FormFailure({ failure }: { failure: AppError | null }) {
  if (!failure) return null;
  const waits = failure.kind === 'network' || failure.kind === 'rate-limited';
  return (
    <Notice tone={waits ? 'caution' : 'danger'} live="assertive">
      {failure.message}
    </Notice>
  );
}
