import { Html, html } from '#backend/supabase/functions/_shared/mail/html.ts';
import type { Mail, MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { FRAMED, isFromThisMachine, localPage, notFound, STYLE } from './local-page.ts';
import { mailSamples } from './samples.ts';

const PATH = '/dev/emails';
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

interface Preview {
  /** Unique, and part of its frames' addresses: the template, and a number if there are several. */
  id: string;
  about: string;
  mail: Mail;
}

/** Every email with example facts, rendered by the code that sends it. */
export function mailPreviews(brand: MailBrand): Preview[] {
  return Object.entries(mailSamples(brand.siteUrl)).flatMap(([template, samples]) =>
    samples.map(({ about, data }, index) => ({
      id: index === 0 ? template : `${template}-${index + 1}`,
      about,
      mail: renderMail(template, data, brand),
    })),
  );
}

/**
 * Creates the page of all emails, in light, dark and plain text: `/dev/emails`, and
 * `/dev/emails/<id>/<theme>` for one of them. Other machines get a 404.
 */
export function createMailPreviews(brand: MailBrand) {
  return async (request: Request, info: { remoteAddress: string }): Promise<Response> => {
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (!reading || !isFromThisMachine(request, info.remoteAddress)) return notFound();
    const previews = mailPreviews(brand);
    const [id, theme, ...rest] = new URL(request.url).pathname.split('/').slice(3);
    if (!id) return listPage(previews);
    const preview = previews.find((each) => each.id === id);
    if (!preview || !isTheme(theme) || rest.length > 0) return notFound();
    return localPage(new Html(inTheme(preview.mail.html, theme)), FRAMED);
  };
}

const isTheme = (name: string | undefined): name is Theme => THEMES.some((theme) => theme === name);

/** The email as an app in this theme shows it, whatever theme the browser has. */
export function inTheme(markup: string, theme: Theme): string {
  return markup
    .replaceAll('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all')
    .replace('color-scheme: light dark;', `color-scheme: ${theme};`)
    .replace('<head>', '<head><base target="_blank">');
}

const PREVIEW_STYLE = `
  main { max-width: 84rem; }
  section { margin: 0 0 3rem; }
  h2 { font: 500 1.375rem/1.25 Fraunces, Georgia, serif; margin: 0 0 .25rem; overflow-wrap: anywhere; }
  .forms { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
  figure { margin: 0; min-width: 0; border: 1px solid light-dark(#dcddd4, #2f3a32); border-radius: 18px; overflow: hidden; background: light-dark(#fffefb, #141f19); }
  figcaption { padding: .75rem 1.25rem; font-weight: 600; }
  pre { box-sizing: border-box; height: 40rem; margin: 0; padding: 1rem 1.25rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border-top: 1px solid light-dark(#dcddd4, #2f3a32); font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
  pre:focus-visible { outline: 3px solid light-dark(#1a5e3a, #95d6a6); outline-offset: -3px; }
`;

function listPage(previews: Preview[]): Response {
  const sections = previews.map(
    ({ id, about, mail }) => html`<section>
        <h2 id="${id}">${mail.subject}</h2>
        <p>${about} (<code>${id}</code>)</p>
        <div class="forms">
          ${THEMES.map(
            (theme) => html`<figure>
            <figcaption>${theme === 'dark' ? 'Dark' : 'Light'}</figcaption>
            <iframe title="${about}, ${theme}" src="${PATH}/${id}/${theme}" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy"></iframe>
          </figure>
          `,
          )}<figure>
            <figcaption>Plain text</figcaption>
            <pre tabindex="0" role="region" aria-label="${about}, plain text">${mail.text}</pre>
          </figure>
        </div>
      </section>
      `,
  );
  return localPage(
    html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Emails</title>
    <style>${new Html(STYLE + PREVIEW_STYLE)}</style>
  </head>
  <body>
    <main>
      <h1>Emails</h1>
      <p>Every email that the site sends, with example facts. Only this machine can see this page.</p>
      ${sections}
    </main>
  </body>
</html>
`,
  );
}
