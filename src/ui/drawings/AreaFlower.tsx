import { classNames } from '../class-names.ts';

/** The eight petals as one shape, and the one that grows upwards. */
const petals =
  'M0-5C12-16 10-33 0-44S-12-16 0-5M4-4C20-3 30-16 31-31S3-20 4-4M5 0C16 12 33 10 44 0S16-12 5 0M4 4C3 20 16 30 31 31S20 3 4 4M0 5C-12 16-10 33 0 44S12 16 0 5M-4 4C-20 3-30 16-31 31S-3 20-4 4M-5 0C-16-12-33-10-44 0S-16 12-5 0M-4-4C-3-20-16-30-31-31S-20-3-4-4';
const petal = 'M0-5C12-16 10-33 0-44S-12-16 0-5';

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
