import type { AppError } from '#lib/errors.ts';
import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';
import { Notice, type NoticeProps } from './Notice.tsx';

interface FailureProps extends Pick<NoticeProps, 'title' | 'live' | 'className'> {
  /** Renders nothing while it's null. */
  failure: AppError | null | undefined;
  /** Tries again. Leave it out if that would fail the same way. */
  onRetry?: (() => void) | undefined;
}

/** An error that doesn't belong to a field, with a way to try again. Announced when it appears. */
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

/** The same on one line, next to the button whose action failed. */
export const FailureLine = ({ failure, className }: FailureLineProps) =>
  failure && (
    <p role="alert" className={classNames('mt-2 font-medium text-danger', className)}>
      {failure.message}
    </p>
  );
