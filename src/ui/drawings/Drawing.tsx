/**
 * The drawing of a section of the public site, by its name: no two sections have the same one, and
 * each shows what its section is for.
 */
import type { ComponentType } from 'react';
import { Growth } from './Growth.tsx';
import type { DrawingProps } from './parts.tsx';
import { Stake } from './Stake.tsx';
import { Calendar } from './sections/Calendar.tsx';
import { Lens } from './sections/Lens.tsx';
import { Letter } from './sections/Letter.tsx';
import { Months } from './sections/Months.tsx';
import { Neighbourhood } from './sections/Neighbourhood.tsx';
import { Newspaper } from './sections/Newspaper.tsx';
import { Quoted } from './sections/Quoted.tsx';
import { Signpost } from './sections/Signpost.tsx';
import { Stacks } from './sections/Stacks.tsx';
import { Written } from './sections/Written.tsx';

const drawings = {
  growth: (props: DrawingProps) => <Growth stage={3} {...props} />,
  stake: Stake,
  blog: Written,
  events: Calendar,
  pricing: Stacks,
  press: Newspaper,
  testimonials: Quoted,
  development: Neighbourhood,
  contact: Letter,
  search: Lens,
  guides: Signpost,
  newsletter: Months,
} satisfies Record<string, ComponentType<DrawingProps>>;

export type DrawingKind = keyof typeof drawings;
export const drawingKinds = Object.keys(drawings) as DrawingKind[];

export function Drawing({ kind, className }: { kind: DrawingKind; className?: string }) {
  const Drawn: ComponentType<DrawingProps> = drawings[kind];
  return <Drawn className={className} />;
}
