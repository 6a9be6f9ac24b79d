import { classNames } from './class-names.ts';

/** A placeholder for loading content. Set `aria-busy` on the region that contains it. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block min-h-4 animate-wait rounded-small bg-raised', className)}
    />
  );
}
