import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { classNames } from './class-names.ts';

interface MenuItem {
  key: string;
  label: ReactNode;
  /** Where it leads; or what it does, once the menu is closed and its button has the focus again. */
  href?: string;
  onSelect?: () => void;
  /** Ticked: the current choice among several. */
  current?: boolean;
  danger?: boolean;
  disabled?: boolean;
}

export interface MenuProps {
  /** The one button that opens it. */
  trigger: ReactNode;
  /** Groups of items with a line between them. */
  groups: readonly (readonly MenuItem[])[];
  align?: 'start' | 'end';
  /** What kind of choice this is, for a screen reader. */
  label?: string;
  /** It is open from the start: the press that fetched it is the one that opens it. */
  defaultOpen?: boolean;
}

const look =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-[0.5rem] px-3 text-sm outline-none data-highlighted:bg-raised data-disabled:cursor-default data-disabled:opacity-55';

/** A list of things to do or to go to, behind one button. */
export function Menu(props: MenuProps) {
  const { trigger, groups, align = 'end', label, defaultOpen = false } = props;
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = useRef<(() => void) | null>(null);
  // Inside a drawer the list must be part of it: what is open as a popover lies over everything else.
  const [within, setWithin] = useState<Element | null>(null);
  const place = (open: boolean) => {
    if (open) setWithin(opener.current?.closest('[popover]:popover-open') ?? null);
  };
  // A key that fetched it was pressed before it could know: its first item is entered all the same.
  const entered = useRef(!defaultOpen);
  const enter = (list: HTMLDivElement | null) => {
    if (!list || entered.current) return;
    entered.current = true;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[role="menuitem"]')?.focus());
  };
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen} onOpenChange={place}>
      <Radix.Trigger asChild ref={opener}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={within}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
          onCloseAutoFocus={(event) => {
            const act = chosen.current;
            if (!act) return;
            chosen.current = null;
            event.preventDefault();
            // First: a dialog that it opens finds here where the focus goes back to.
            opener.current?.focus();
            act();
          }}
          ref={enter}
          className="card z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1.5rem)] min-w-56 animate-rise overflow-y-auto p-1.5 text-ink float"
        >
          {groups.map((items, index) => (
            <Radix.Group
              key={items[0]?.key ?? index}
              className={classNames(index > 0 && 'mt-1.5 border-t border-line pt-1.5')}
            >
              {items.map(({ key, label: words, href, onSelect, current, danger, disabled }) => {
                const inside = (
                  <>
                    <span className="min-w-0 grow truncate">{words}</span>
                    {current && (
                      <svg
                        viewBox="0 0 16 16"
                        className="size-4 stroke-primary"
                        fill="none"
                        strokeWidth="2"
                        strokeLinecap="round"
                        strokeLinejoin="round"
                        aria-hidden="true"
                      >
                        <path d="m3 8.5 3.2 3.2L13 5" />
                      </svg>
                    )}
                  </>
                );
                return (
                  <Radix.Item
                    key={key}
                    asChild={href !== undefined}
                    disabled={disabled}
                    onSelect={() => {
                      chosen.current = onSelect ?? null;
                    }}
                    aria-current={current || undefined}
                    className={classNames(
                      look,
                      danger && 'text-danger',
                      current && 'font-semibold',
                    )}
                  >
                    {href === undefined ? inside : <a href={href}>{inside}</a>}
                  </Radix.Item>
                );
              })}
            </Radix.Group>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
