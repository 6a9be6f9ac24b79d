import { useEffect, useState } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { areSingleKeysOn } from '#lib/browser/single-keys.ts';
import { useOpenedPart } from '#ui/use-part.ts';

const loadMenu = () => import('./command/CommandMenu.tsx');
const loadShortcuts = () => import('./command/ShortcutsDialog.tsx');

type Opened = 'menu' | 'shortcuts' | null;

/** Where keys are typed or mean something of their own. */
const TYPING =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"]';

/** What a key opens; null for most. */
function openedBy(event: KeyboardEvent): Opened {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (event.defaultPrevented || event.repeat || event.isComposing || altKey) return null;
  if (key.toLowerCase() === 'k') return ctrlKey || metaKey ? 'menu' : null;
  if (key !== '?' || ctrlKey || metaKey || !areSingleKeysOn()) return null;
  return target instanceof Element && target.closest(TYPING) ? null : 'shortcuts';
}

/**
 * Opens the command menu (Ctrl+K or ⌘K, or the links in the header) and the list of shortcuts (?).
 * Both load when they're opened for the first time.
 */
export function Commands({ session }: { session: SessionFacts }) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  useEffect(() => {
    const over = new AbortController();
    const press = (event: KeyboardEvent) => {
      const wanted = openedBy(event);
      if (!wanted) return;
      // The browser's own Ctrl+K would search the web. Another dialog stays what it is.
      event.preventDefault();
      if (!document.querySelector('[data-veil]')) setOpened(wanted);
    };
    document.addEventListener('keydown', press, over);
    for (const link of document.querySelectorAll<HTMLElement>('[data-search]')) {
      link.addEventListener(
        'click',
        (event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpened('menu');
        },
        over,
      );
    }
    return () => over.abort();
  }, []);
  const menu = useOpenedPart(loadMenu, opened === 'menu', close, false);
  const list = useOpenedPart(loadShortcuts, opened === 'shortcuts', close, false);
  if (opened === 'menu' && menu) {
    return (
      <menu.CommandMenu
        session={session}
        onClose={close}
        onShowShortcuts={() => setOpened('shortcuts')}
      />
    );
  }
  return opened === 'shortcuts' && list && <list.ShortcutsDialog onClose={close} />;
}
