import { useEffect } from 'react';

/**
 * Sets `--visible-height` while an on-screen keyboard covers a part of the page, because Safari on a
 * phone doesn't resize it. The layout uses it (layouts/Dashboard.astro).
 */
export function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const root = document.documentElement;
    const update = () => {
      // A zoomed page shows less too, without a keyboard.
      const covered = viewport.scale < 1.01 && window.innerHeight - viewport.height > 80;
      if (covered) root.style.setProperty('--visible-height', `${Math.round(viewport.height)}px`);
      else root.style.removeProperty('--visible-height');
    };
    viewport.addEventListener('resize', update);
    return () => {
      viewport.removeEventListener('resize', update);
      root.style.removeProperty('--visible-height');
    };
  }, []);
}
