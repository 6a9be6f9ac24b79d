import { useEffect, useRef } from 'react';

export type EmailTheme = 'light' | 'dark';

/** Where the email's styles wait, because our CSP would block them as attributes in HTML. */
const LOOK = 'data-look';

/**
 * An email as an email app shows it, with its own styles in a shadow tree: a frame couldn't have
 * them, since our CSP blocks inline styles. Rendered by the server that sends it, with everything
 * that's typed escaped.
 */
export function EmailPreview({ html, theme }: { html: string; theme: EmailTheme }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current) show(host.current, html, theme);
  }, [html, theme]);
  return <div ref={host} className="overflow-hidden rounded-card border border-line" />;
}

function show(host: HTMLDivElement, html: string, theme: EmailTheme): void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const [styles = '', rules = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const markup = html.replace(styles, '').replaceAll(' style="', ` ${LOOK}="`);
  const email = new DOMParser().parseFromString(markup, 'text/html');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    rules.replaceAll('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all'),
  );
  root.adoptedStyleSheets = [sheet];
  const body = document.createElement('div');
  body.className = email.body.className;
  body.setAttribute(LOOK, email.body.getAttribute(LOOK) ?? '');
  body.append(...email.body.childNodes);
  root.replaceChildren(body);
  for (const each of root.querySelectorAll<HTMLElement>(`[${LOOK}]`)) {
    each.style.cssText = each.getAttribute(LOOK) ?? '';
    each.removeAttribute(LOOK);
  }
  for (const link of root.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noreferrer';
  }
}
