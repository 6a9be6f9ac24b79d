import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

const done = new Map<FunctionComponent<never>, Map<string, string>>();

/**
 * Renders a React component to HTML once per set of props. For drawings on every page, which Astro
 * would otherwise have React render again for each page.
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
