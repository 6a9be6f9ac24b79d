import type { Html } from '#backend/supabase/functions/_shared/mail/html.ts';
import { forwardingHeader, isLoopbackAddress, isLoopbackName } from '../gateway/client-address.ts';

/** Neither a proxy nor a host name that merely resolves to this machine may open local pages. */
export function isFromThisMachine(request: Request, remoteAddress: string): boolean {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const forwarded = forwardingHeader(request.headers.keys()) !== undefined;
  return isLoopbackAddress(remoteAddress) && isLoopbackName(name) && !forwarded;
}

/** The look of a page with emails in frames. */
export const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.55 Figtree, system-ui, sans-serif; }
  body { margin: 0; background: light-dark(#fbfaf5, #0d1611); color: light-dark(#1a251d, #ebece3); }
  main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
  h1 { font: 500 1.75rem/1.2 Fraunces, Georgia, serif; margin: 0 0 .25rem; }
  p { margin: 0 0 1.5rem; color: light-dark(#505b52, #a7aea0); }
  details { margin: 0 0 .75rem; background: light-dark(#fffefb, #141f19); border: 1px solid light-dark(#dcddd4, #2f3a32); border-radius: 18px; overflow: hidden; }
  summary { padding: 1rem 1.25rem; cursor: pointer; display: grid; gap: .1rem; }
  summary:focus-visible { outline: 3px solid light-dark(#1a5e3a, #95d6a6); outline-offset: -3px; border-radius: 18px; }
  summary b { font-weight: 600; }
  summary span { font-size: .875rem; color: light-dark(#505b52, #a7aea0); overflow-wrap: anywhere; }
  iframe { display: block; width: 100%; height: 40rem; border: 0; border-top: 1px solid light-dark(#dcddd4, #2f3a32); background: light-dark(#fbfaf5, #0d1611); }
`;

/** The policy of an email in a frame: no scripts, nothing external, and links open in a new tab. */
export const FRAMED =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** A page for this machine only, which may show its own pages in frames. */
export function localPage(
  body: Html,
  policy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
): Response {
  return new Response(body.markup, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': policy,
    },
  });
}

export function notFound(): Response {
  return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } });
}
