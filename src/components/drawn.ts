import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Texts } from '#domain/language.ts';
import { InLanguage } from '#ui/InLanguage.tsx';

const inLanguage = (words: Texts | undefined, children: ReactNode) =>
  createElement(InLanguage, { words, children });

const done = new Map<FunctionComponent<never>, Map<string, string>>();

/**
 * Renders a React component to HTML once per set of props, in English or the language of `words`. For drawings on every page, which Astro
 * would otherwise have React render again for each page.
 */
export function drawn<Props extends object>(
  component: FunctionComponent<Props>,
  props: Props,
  words?: Texts,
): string {
  const known = done.get(component) ?? new Map<string, string>();
  done.set(component, known);
  const key = JSON.stringify([words?.language, props]);
  const html =
    known.get(key) ?? renderToStaticMarkup(inLanguage(words, createElement(component, props)));
  known.set(key, html);
  return html;
}
