import { type ReactNode, useId, useState } from 'react';
import { Button } from '../Button.tsx';
import { classNames } from '../class-names.ts';

interface FoldedFiltersProps {
  /** How many of them narrow the list. */
  active: number;
  className?: string;
  /** Fields, laid out by the form around them. */
  children: ReactNode;
}

/**
 * Filters that a phone shows at the press of a button, so that the list itself is in view. Wider
 * windows always show them, and so does a browser without scripts.
 */
export function FoldedFilters({ active, className, children }: FoldedFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        type="button"
        variant="secondary"
        className={classNames('sm:hidden [@media(scripting:none)]:hidden', className)}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Filters{active > 0 && ` (${active})`}
      </Button>
      <div
        id={id}
        className={classNames('contents', !isOpen && 'max-sm:[@media(scripting:enabled)]:hidden')}
      >
        {children}
      </div>
    </>
  );
}
