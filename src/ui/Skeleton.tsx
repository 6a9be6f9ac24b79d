import { classNames } from './class-names.ts';

/** A quiet block where content is on its way. The region that waits says so with `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block min-h-4 animate-wait rounded-small bg-raised', className)}
    />
  );
}
