import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { CHECK, LineIcon } from './LineIcon.tsx';
import type { Trigger } from './Opener.tsx';

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
  trigger: Trigger;
  /** Groups of items, separated by lines. */
  groups: readonly (readonly MenuItem[])[];
  align?: 'start' | 'end';
  /** The menu's name for screen readers. */
  label?: string;
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

/** Focuses the first item of a menu opened by keyboard, since Radix missed the key that opened it. */
function useFirstFocus(isByKeyboard: boolean) {
  const isDone = useRef(!isByKeyboard);
  return (list: HTMLDivElement | null) => {
    if (!list || isDone.current) return;
    isDone.current = true;
    const first = '[role="menuitem"]:not([data-disabled])';
    requestAnimationFrame(() => list.querySelector<HTMLElement>(first)?.focus());
  };
}

interface ListProps extends MenuProps {
  openedBy: 'pointer' | 'keyboard';
  /** Becomes true when it opens. If it's true before that, the menu was rendered again and stays closed. */
  hasOpened?: { current: boolean };
}

/** A menu that has been opened once, with Radix; `Menu` loads it, and it opens on mount. */
export function MenuList(props: ListProps) {
  const { trigger, groups, align = 'end', label, openedBy, onOpen } = props;
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = useRef<(() => void) | null>(null);
  const [isOpen, setOpen] = useState(false);
  // Inside a drawer, render the list in it: an open popover covers everything outside itself.
  const [container, setContainer] = useState<Element | null>(null);
  const { hasOpened } = props;
  const focusFirst = useFirstFocus(openedBy === 'keyboard' && !hasOpened?.current);
  const change = (open: boolean) => {
    setOpen(open);
    if (open) onOpen?.();
    if (open) setContainer(opener.current?.closest('[popover]:popover-open') ?? null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens on mount
  useEffect(() => {
    if (hasOpened?.current) return;
    if (hasOpened) hasOpened.current = true;
    change(true);
  }, []);
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
    <Radix.Root modal={false} open={isOpen} onOpenChange={change}>
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
