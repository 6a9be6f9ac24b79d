/** Menus weigh more than a conversation, so their code is loaded after the page. */
import { type ComponentType, useState } from 'react';
import { addToast } from '#stores/toasts.ts';
import type { MenuProps } from '#ui/Menu.tsx';

const load = () => import('#ui/Menu.tsx');

/** Milliseconds after which the page is idle. */
const SOON = 1_500;

/** Loads the menu before it's needed, so that it also opens offline; returns its cleanup. */
export function preloadMenu(): () => void {
  const timer = setTimeout(() => load().catch(() => {}), SOON);
  return () => clearTimeout(timer);
}

/** Gives the menu component, null until it is loaded, and what loads it. */
export function useMenu(): [ComponentType<MenuProps> | null, () => void] {
  const [Menu, setMenu] = useState<ComponentType<MenuProps> | null>(null);
  const loadMenu = () =>
    void load().then(
      (module) => setMenu(() => module.Menu),
      () => addToast({ tone: 'bad', title: 'The menu needs a connection the first time.' }),
    );
  return [Menu, loadMenu];
}
