import { useEffect, useMemo, useState } from 'react';
import { loadTooltips } from './IconButton.tsx';
import { loadMenuList } from './Menu.tsx';
import type { MenuList, MenuProps } from './MenuList.tsx';
import { renderOpener } from './Opener.tsx';
import { useOpenedPart } from './use-part.ts';

type OpenedBy = 'pointer' | 'keyboard';

/** The menu, for the item whose button was pressed. Its code may still be loading. */
export interface ItemMenu {
  openedBy: OpenedBy;
  part: { MenuList: typeof MenuList } | null;
  hasOpened: { current: boolean };
}

/** An item's button was pressed; null if the focus left it before the menu could open. */
export type AskForMenu = (asked: { key: string; openedBy: OpenedBy } | null) => void;

/**
 * One menu for all items of a list, which costs each of them no more than its button, with
 * `renderSharedMenu`. Items can be memoized: only the one whose menu is open gets a menu. Their
 * buttons aren't IconButtons, which are components, but have a `data-tooltip`.
 */
export function useSharedMenu(): { menuOf: (key: string) => ItemMenu | null; ask: AskForMenu } {
  const [asked, ask] = useState<Parameters<AskForMenu>[0]>(null);
  const part = useOpenedPart(loadMenuList, asked !== null, () => ask(null));
  const menu = useMemo(
    () => asked && { openedBy: asked.openedBy, part, hasOpened: { current: false } },
    [asked, part],
  );
  useEffect(loadTooltips, []);
  return { menuOf: (key) => (asked?.key === key ? menu : null), ask };
}

interface SharedMenuProps extends Pick<MenuProps, 'trigger' | 'label'> {
  /** The item's key in its list. */
  name: string;
  menu: ItemMenu | null;
  ask: AskForMenu;
  /** Called once it opens: closed menus need no items. */
  groups: () => MenuProps['groups'];
}

/** Renders an item's button, with its menu once that's open. No component, which would cost time. */
export function renderSharedMenu({ trigger, label, name, menu, ask, groups }: SharedMenuProps) {
  if (menu?.part) {
    const { MenuList } = menu.part;
    return (
      <MenuList
        trigger={trigger}
        openedBy={menu.openedBy}
        hasOpened={menu.hasOpened}
        groups={groups()}
        {...(label !== undefined && { label })}
      />
    );
  }
  return renderOpener({
    trigger,
    opens: 'menu',
    isOpening: menu !== null,
    onOpen: (openedBy) => ask({ key: name, openedBy }),
    ...(menu && { onLeave: () => ask(null) }),
  });
}
