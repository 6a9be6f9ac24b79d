/** Renders React islands on the server; see react-islands.ts. */
import react from '@astrojs/react/server.js';
import type { NamedSSRLoadedRendererValue } from 'astro';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';

/** Whether components are React's, which doesn't change. */
const areReact = new WeakMap<object, boolean>();
/** How many islands each page has so far. */
const counts = new WeakMap<object, number>();

/** What React asks a browser to load early. It's in front of the island's root, which must be alone. */
const HINTS = /<link rel="preload"[^>]*>/g;

/**
 * What Astro has rendered inside an island, as props. As all of Astro's renderers do, in an element in which
 * Astro finds it in the browser; `@astrojs/react` then leaves it as it is.
 * @param slots HTML by the slot's name
 */
function insides(slots: Record<string, unknown>, isHydrated: boolean): Record<string, ReactNode> {
  const element = isHydrated ? 'astro-slot' : 'astro-static-slot';
  const named = Object.entries(slots).map(([slot, html]) => {
    const name = slot.trim().replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const __html = String(html ?? '');
    if (__html.trim() === '') return [name === 'default' ? 'children' : name, null];
    const inside = { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html } };
    return name === 'default'
      ? ['children', createElement(element, inside)]
      : [name, createElement(element, { name, ...inside })];
  });
  return Object.fromEntries(named);
}

const renderer: NamedSSRLoadedRendererValue = {
  ...react,
  async check(Component, ...rest) {
    const known = areReact.get(Component);
    if (known !== undefined) return known;
    const isReact = await react.check.call(this, Component, ...rest);
    // Astro also asks about names of elements.
    if (typeof Component === 'function') areReact.set(Component, isReact);
    return isReact;
  },
  async renderToStaticMarkup(Component, props, slots, metadata) {
    // Astro calls this with the page as `this`, which its types leave out.
    const result: object = Reflect.get(this, 'result');
    const count = counts.get(result) ?? 0;
    counts.set(result, count + 1);
    // Ids that `useId` makes start with it, so that they differ from those of other islands.
    const prefix = `i${count}`;
    const isHydrated = metadata?.hydrate !== undefined;
    const island = createElement(Component as FunctionComponent, {
      ...(props as object),
      ...insides(slots, isHydrated),
    });
    const html = renderToString(island, { identifierPrefix: prefix });
    return { html: html.replace(HINTS, ''), attrs: { prefix } };
  },
};

export default renderer;
