import type { AppError } from '#lib/errors.ts';
import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';
import { Notice, type NoticeProps } from './Notice.tsx';

interface FailureProps extends Pick<NoticeProps, 'title' | 'live' | 'className'> {
  /** Draws nothing while it's null. */
  failure: AppError | null | undefined;
  /** Tries again. Left out if that would give the same result. */
  onRetry?: (() => void) | undefined;
}

/** What failed (other than a field), why, and a way to try again. Announced when it appears. */
export function Failure({ failure, onRetry, live = 'assertive', ...rest }: FailureProps) {
  if (!failure) return null;
  const waits = failure.kind === 'network' || failure.kind === 'rate-limited';
  return (
    <Notice
      {...rest}
      tone={waits ? 'caution' : 'danger'}
      live={live}
      action={
        onRetry && (
          <Button size="small" variant="secondary" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {failure.message}
    </Notice>
  );
}

interface FailureLineProps {
  failure: AppError | null;
  className?: string;
}

/** The same in one line, next to the button that failed. */
export const FailureLine = ({ failure, className }: FailureLineProps) =>
  failure && (
    <p role="alert" className={classNames('mt-2 font-medium text-danger', className)}>
      {failure.message}
    </p>
  );
