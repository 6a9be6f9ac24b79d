import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

const done = new Map<FunctionComponent<never>, Map<string, string>>();

/**
 * A React component as HTML, drawn once for each set of properties: for a drawing that is on every
 * page, which Astro would let React draw again for each of them.
 */
export function drawn<Props extends object>(
  component: FunctionComponent<Props>,
  props: Props,
): string {
  const known = done.get(component) ?? new Map<string, string>();
  done.set(component, known);
  const key = JSON.stringify(props);
  const html = known.get(key) ?? renderToStaticMarkup(createElement(component, props));
  known.set(key, html);
  return html;
}
