import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { CHECK, LineIcon } from './LineIcon.tsx';

interface MenuItem {
  key: string;
  label: ReactNode;
  /** A link, or an action that runs once the menu has closed and its button has the focus again. */
  href?: string;
  onSelect?: () => void;
  /** Shows a check mark: this is the current choice. */
  current?: boolean;
  danger?: boolean;
  disabled?: boolean;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  /** Groups of items, separated by lines. */
  groups: readonly (readonly MenuItem[])[];
  align?: 'start' | 'end';
  /** The menu's name for screen readers. */
  label?: string;
  /** Open on mount, for a menu that's loaded lazily by the click that opens it. */
  defaultOpen?: boolean;
  /** Called when the menu opens. */
  onOpen?: () => void;
}

const look =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-[0.5rem] px-3 text-sm outline-none data-highlighted:bg-raised data-disabled:cursor-default data-disabled:opacity-55';

interface ItemProps {
  item: MenuItem;
  onSelect: () => void;
}

function Item({ item, onSelect }: ItemProps) {
  const { label, href, current, danger, disabled } = item;
  const content = (
    <>
      <span className="min-w-0 grow truncate">{label}</span>
      {current && <LineIcon d={CHECK} box={16} width={2} className="size-4 text-primary" />}
    </>
  );
  return (
    <Radix.Item
      asChild={href !== undefined}
      disabled={disabled}
      onSelect={onSelect}
      aria-current={current || undefined}
      className={classNames(look, danger && 'text-danger', current && 'font-semibold')}
    >
      {href === undefined ? content : <a href={href}>{content}</a>}
    </Radix.Item>
  );
}

/** Focuses the first item of a lazily loaded menu, which missed the key press that opened it. */
function useFirstFocus(defaultOpen: boolean) {
  const isDone = useRef(!defaultOpen);
  return (list: HTMLDivElement | null) => {
    if (!list || isDone.current) return;
    isDone.current = true;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[role="menuitem"]')?.focus());
  };
}

/** A button that opens a list of actions or links. */
export function Menu(props: MenuProps) {
  const { trigger, groups, align = 'end', label, defaultOpen = false, onOpen } = props;
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = useRef<(() => void) | null>(null);
  // Inside a drawer, render the list in it: an open popover covers everything outside itself.
  const [container, setContainer] = useState<Element | null>(null);
  const focusFirst = useFirstFocus(defaultOpen);
  const placeList = (open: boolean) => {
    if (open) onOpen?.();
    if (open) setContainer(opener.current?.closest('[popover]:popover-open') ?? null);
  };
  const runChosen = (event: Event) => {
    const act = chosen.current;
    if (!act) return;
    chosen.current = null;
    event.preventDefault();
    // Focus first: if the action opens a dialog, that returns the focus to the element focused now.
    opener.current?.focus();
    act();
  };
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen} onOpenChange={placeList}>
      <Radix.Trigger asChild ref={opener}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
          onCloseAutoFocus={runChosen}
          ref={focusFirst}
          className="card z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1.5rem)] min-w-56 animate-rise overflow-y-auto p-1.5 text-ink float"
        >
          {groups.map((items, index) => (
            <Radix.Group
              key={items[0]?.key ?? index}
              className={classNames(index > 0 && 'mt-1.5 border-t border-line pt-1.5')}
            >
              {items.map((item) => (
                <Item
                  key={item.key}
                  item={item}
                  onSelect={() => {
                    chosen.current = item.onSelect ?? null;
                  }}
                />
              ))}
            </Radix.Group>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
