/** Renders React islands on the server; see react-islands.ts. */
import react from '@astrojs/react/server.js';
import type { NamedSSRLoadedRendererValue } from 'astro';
import { createElement, type FunctionComponent } from 'react';
import { renderToString } from 'react-dom/server';

/** Whether components are React's, which doesn't change. */
const areReact = new WeakMap<object, boolean>();
/** How many islands each page has so far. */
const counts = new WeakMap<object, number>();

/** What React asks a browser to load early. It's in front of the island's root, which must be alone. */
const HINTS = /<link rel="preload"[^>]*>/g;

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
    // With what an island has inside, @astrojs/react knows how its part in the browser finds it.
    if (Object.keys(slots).length > 0) {
      return react.renderToStaticMarkup.call(this, Component, props, slots, metadata);
    }
    // Astro calls this with the page as `this`, which its types leave out.
    const result: object = Reflect.get(this, 'result');
    const count = counts.get(result) ?? 0;
    counts.set(result, count + 1);
    // Ids that `useId` makes start with it, so that they differ from those of other islands.
    const prefix = `i${count}`;
    const island = createElement(Component as FunctionComponent, props as object);
    const html = renderToString(island, { identifierPrefix: prefix });
    return { html: html.replace(HINTS, ''), attrs: { prefix } };
  },
};

export default renderer;
