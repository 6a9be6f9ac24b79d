import { useState } from 'react';
import type { MenuProps } from './MenuList.tsx';
import { renderOpener } from './Opener.tsx';
import { useOpenedPart } from './use-part.ts';

/** Loads the list of a menu. */
export const loadMenuList = () => import('./MenuList.tsx');

/** A button that opens a list of actions or links. The list's code is loaded after the page. */
export function Menu(props: MenuProps) {
  const [openedBy, setOpenedBy] = useState<'pointer' | 'keyboard' | null>(null);
  const cancel = () => setOpenedBy(null);
  const part = useOpenedPart(loadMenuList, openedBy !== null, cancel);
  if (part && openedBy) return <part.MenuList {...props} openedBy={openedBy} />;
  return renderOpener({
    trigger: props.trigger,
    opens: 'menu',
    isOpening: openedBy !== null,
    onOpen: setOpenedBy,
    // A menu that arrives late would take the focus from where it is now.
    onLeave: cancel,
  });
}
