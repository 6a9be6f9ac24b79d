import { classNames } from '../class-names.ts';
import { bloomPetal, bloomPetals } from './shapes.ts';

export interface AreaFlowerProps {
  /** The area's place in the bloom, 1 to 8, clockwise from the top. */
  position: number;
  className?: string;
}

/** An area's symbol: the bloom with that area's petal in color. */
export function AreaFlower({ position, className }: AreaFlowerProps) {
  return (
    <svg viewBox="-46 -46 92 92" className={classNames('fill-petal', className)} aria-hidden="true">
      <path d={bloomPetals} />
      <path d={bloomPetal} transform={`rotate(${(position - 1) * 45})`} className="fill-leaf" />
      <circle r="4" className="fill-accent" />
    </svg>
  );
}
