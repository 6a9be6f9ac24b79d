import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './IconButton.tsx';

/** Closes a dialog or a toast. Takes what Radix gives the child of its `Close`. */
export function CloseButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <IconButton
      {...rest}
      label="Close"
      className={classNames(
        'grid size-11 shrink-0 place-items-center rounded-control text-muted hover:text-ink',
        className,
      )}
    >
      <svg
        viewBox="0 0 20 20"
        className="size-5 stroke-current"
        fill="none"
        strokeWidth="1.8"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="m5 5 10 10M15 5 5 15" />
      </svg>
    </IconButton>
  );
}
