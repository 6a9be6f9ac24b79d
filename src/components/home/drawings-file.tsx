/**
 * The large drawings of the home page, and the petals that it repeats, as one file, /drawings.svg,
 * so that the page itself fits into the first round trip. A page shows one with
 * `<use href="/drawings.svg#trellis">`: what it holds takes its colours, and with them the theme,
 * from the page around it.
 */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Trellis } from '#components/Trellis.tsx';
import { Stake } from '#ui/drawings/Stake.tsx';
import { bloomPetals } from '#ui/drawings/shapes.ts';

/** Classes of the page do not reach into another file; its custom properties do. */
const coloured = (markup: string) =>
  markup
    .replace(/class="(stroke|fill)-([a-z-]+)"/g, '$1="var(--color-$2)"')
    .replace(/class="text-([a-z-]+)"/g, 'color="var(--color-$1)"');

const group = (id: string, drawing: ReactElement) => {
  const inner = renderToStaticMarkup(drawing).replace(/^<svg[^>]*>|<\/svg>$/g, '');
  return `<g id="${id}" fill="none">${coloured(inner)}</g>`;
};

export function drawingsFile(): string {
  const drawings = group('trellis', <Trellis />) + group('stake', <Stake partsOf="trellis" />);
  // These take their fill from the drawing that uses them.
  const petals = `<path id="petals" d="${bloomPetals}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg">${drawings}${petals}</svg>`;
}
