/** The brand mark: a sprout on a lattice. `public/favicon.svg` is the same drawing. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} fill="none" aria-hidden="true">
      <path
        d="M9 3v26M23 3v26M3 9h26M3 23h26"
        className="stroke-lattice"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path
        d="M16 29C16 22 16 20 16 16"
        className="stroke-stem"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
      <path d="M16 20C9 20 5.5 15 6 7.5C13 8 16.5 12.5 16 20Z" className="fill-leaf-deep" />
      <path d="M16 17C16 10.5 19.5 6.5 26 6C26.5 12.5 23 17 16 17Z" className="fill-leaf" />
    </svg>
  );
}
