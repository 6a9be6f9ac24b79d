import type { ReactNode } from 'react';

/** A fact of a list of facts. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="text-sm wrap-anywhere">{children}</dd>
  </div>
);
