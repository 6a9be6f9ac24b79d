import { classNames } from '../class-names.ts';

/** The eight petals as one shape, and the one that grows upwards. */
const petals =
  'M0-5C9-15 8-32 0-44S-9-15 0-5M4-4C17-4 28-17 31-31S4-17 4-4M5 0C15 9 32 8 44 0S15-9 5 0M4 4C4 17 17 28 31 31S17 4 4 4M0 5C-9 15-8 32 0 44S9 15 0 5M-4 4C-17 4-28 17-31 31S-4 17-4 4M-5 0C-15-9-32-8-44 0S-15 9-5 0M-4-4C-4-17-17-28-31-31S-17-4-4-4';
const petal = 'M0-5C9-15 8-32 0-44S-9-15 0-5';

export interface AreaFlowerProps {
  /** The area's place in the bloom, 1 to 8, clockwise from the top. */
  position: number;
  className?: string;
}

/** The bloom with the petal of one area in colour: that area's sign. */
export function AreaFlower({ position, className }: AreaFlowerProps) {
  return (
    <svg viewBox="-46 -46 92 92" className={classNames('fill-petal', className)} aria-hidden="true">
      <path d={petals} />
      <path d={petal} transform={`rotate(${(position - 1) * 45})`} className="fill-leaf" />
      <circle r="4" className="fill-accent" />
    </svg>
  );
}
