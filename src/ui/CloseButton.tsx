import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { IconButton } from './IconButton.tsx';
import { LineIcon } from './LineIcon.tsx';

/** Closes a dialog or a toast. Accepts the props that Radix passes to the child of its `Close`. */
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
      <LineIcon d="m5 5 10 10M15 5 5 15" className="size-5" />
    </IconButton>
  );
}
