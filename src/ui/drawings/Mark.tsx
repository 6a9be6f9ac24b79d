import { mark } from './shapes.ts';

/** The brand mark: a sprout on a lattice. `public/favicon.svg` is the same drawing. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} fill="none" aria-hidden="true">
      <path d={mark.lattice} className="stroke-lattice" strokeWidth="2" strokeLinecap="round" />
      <path d={mark.stem} className="stroke-stem" strokeWidth="2.4" strokeLinecap="round" />
      <path d={mark.left} className="fill-leaf-deep" />
      <path d={mark.right} className="fill-leaf" />
    </svg>
  );
}
