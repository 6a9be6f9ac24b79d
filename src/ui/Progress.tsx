import { classNames } from './class-names.ts';

export interface ProgressProps {
  /** How much is done, from 0 to `max`. */
  value: number;
  max: number;
  /** The bar's name for screen readers: "Questions answered". */
  label: string;
  /** The value in words: "3 of 8". */
  text?: string;
  className?: string;
}

/** A progress bar. Drawn with SVG attributes, because our CSP blocks style attributes in HTML. */
export function Progress({ value, max, label, text, className }: ProgressProps) {
  const share = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text ?? `${value} of ${max}`}
      className={classNames('h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <svg
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        className="block size-full"
        aria-hidden="true"
      >
        <rect
          width={Math.round(share * 1000) / 10}
          height="4"
          className="fill-primary transition-[width] duration-200 forced-colors:fill-[Highlight]"
        />
      </svg>
    </div>
  );
}
