import type { ReactNode } from 'react';

/** A heading and a form: the frame of the account pages in the default layout. */
export function AccountFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mx-auto w-full max-w-md px-5 py-12 md:py-20">
      <h1 className="mb-7 text-2xl">{title}</h1>
      {children}
    </section>
  );
}

/** The same inside the signup layout, which brings its own measure. */
export function AccountHeading({ children }: { children: ReactNode }) {
  return <h1 className="mb-7 text-2xl">{children}</h1>;
}
