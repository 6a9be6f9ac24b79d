import type { ReactNode, Ref } from 'react';

interface SectionProps {
  /** The id of its heading. */
  id: string;
  title: ReactNode;
  titleClass?: string;
  /** A ref to the heading, for example to focus it. */
  headingRef?: Ref<HTMLHeadingElement>;
  className?: string;
  children: ReactNode;
}

/** A page section that's named by its heading. */
export const Section = (props: SectionProps) => (
  <section aria-labelledby={props.id} className={props.className}>
    <h2
      id={props.id}
      ref={props.headingRef}
      tabIndex={props.headingRef ? -1 : undefined}
      className={props.titleClass ?? 'text-lg'}
    >
      {props.title}
    </h2>
    {props.children}
  </section>
);
