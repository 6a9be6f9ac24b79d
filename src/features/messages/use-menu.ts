/** Menus weigh more than a conversation: what draws them is fetched once the page is there. */
import { type ComponentType, useState } from 'react';
import { addToast } from '#stores/toasts.ts';
import type { MenuProps } from '#ui/Menu.tsx';

const load = () => import('#ui/Menu.tsx');

/** Milliseconds after which a page that is read has time for it. */
const SOON = 1_500;

/** Fetches it while nobody waits, so that it opens without a connection too. */
export function fetchMenuSoon(): () => void {
  const timer = setTimeout(() => load().catch(() => {}), SOON);
  return () => clearTimeout(timer);
}

/** The menu, null until it was asked for, and what asks for it. */
export function useMenu(): [ComponentType<MenuProps> | null, () => void] {
  const [Menu, setMenu] = useState<ComponentType<MenuProps> | null>(null);
  const fetch = () =>
    void load().then(
      (module) => setMenu(() => module.Menu),
      () => addToast({ tone: 'bad', title: 'The menu needs a connection the first time.' }),
    );
  return [Menu, fetch];
}
