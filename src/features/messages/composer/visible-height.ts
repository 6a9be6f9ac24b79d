import { useEffect } from 'react';

/**
 * Tells the page how much of it is seen while an on-screen keyboard lies over it: Safari on a phone
 * makes no room for it by itself. The layout takes it from there (layouts/Dashboard.astro).
 */
export function useVisibleHeight(): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const root = document.documentElement;
    const look = () => {
      // Zoomed in with two fingers, less is seen without there being less room.
      const covered = seen.scale < 1.01 && window.innerHeight - seen.height > 80;
      if (covered) root.style.setProperty('--visible-height', `${Math.round(seen.height)}px`);
      else root.style.removeProperty('--visible-height');
    };
    seen.addEventListener('resize', look);
    return () => {
      seen.removeEventListener('resize', look);
      root.style.removeProperty('--visible-height');
    };
  }, []);
}
