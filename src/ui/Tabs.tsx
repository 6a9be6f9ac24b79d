import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface Tab {
  key: string;
  label: ReactNode;
  content: ReactNode;
}

export interface TabsProps {
  /** What the tabs are about, for a screen reader. */
  label: string;
  tabs: readonly Tab[];
  className?: string;
}

// Radix writes these two as style attributes, which the site's policy blocks on the server: an
// undefined value on the child takes them away again.
const noOutline = { outline: undefined };
const noDuration = { animationDuration: undefined };

/** Several views of one thing, one at a time; the first is open. */
export function Tabs({ label, tabs, className }: TabsProps) {
  return (
    <Radix.Root defaultValue={tabs[0]?.key} className={className}>
      <Radix.List asChild aria-label={label}>
        <div style={noOutline} className="flex gap-1 overflow-x-auto border-b border-line">
          {tabs.map(({ key, label: words }) => (
            <Radix.Trigger
              key={key}
              value={key}
              className="-mb-px min-h-11 shrink-0 border-b-2 border-transparent px-3 text-sm text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-primary data-[state=active]:font-semibold data-[state=active]:text-ink"
            >
              {words}
            </Radix.Trigger>
          ))}
        </div>
      </Radix.List>
      {tabs.map(({ key, content }) => (
        <Radix.Content key={key} value={key} asChild>
          <div style={noDuration} className="pt-5">
            {content}
          </div>
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
