import type { ReactNode } from 'react';

export interface FrameProps {
  id: string;
  title: string;
  /** The link in the card's header. */
  href: string;
  label: string;
  children: ReactNode;
}

/** A card with a heading and a link to the full page. */
export const Frame = ({ id, title, href, label, children }: FrameProps) => (
  <section aria-labelledby={id} className="card flex flex-col gap-3 p-5 sm:p-6">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <a className="link text-sm" href={href}>
        {label}
      </a>
    </div>
    {children}
  </section>
);
