import { articleHtml, articleText, readArticle } from './article.ts';
import { Html, html } from './html.ts';

/** The sender, from content/site.yaml: an organization can run the product under its own name. */
export interface MailBrand {
  product: string;
  organisation: string;
  email: string;
  siteUrl: string;
}

/** The parts of an email, all plain text until it's rendered. */
export interface MailParts {
  subject: string;
  /** The line that an inbox shows next to the subject. */
  preview: string;
  heading: string;
  paragraphs: string[];
  /** Markdown, after the paragraphs. */
  article?: string;
  /** Messages, grouped by conversation; line breaks are kept. */
  talks?: { heading: string; said: { by: string; text: string }[]; after: string | null }[];
  /** Six digits to enter. */
  code?: string;
  button?: { label: string; href: string };
  /** A second, quieter link. */
  aside?: { before: string; label: string; href: string };
  /** Why the reader gets this email, and what to do if they didn't ask for it. */
  why: string;
  /** The page to unsubscribe on, at the end. */
  unsubscribe?: string;
  /** Where a reply goes, if not to the organization. */
  replyTo?: string;
  /** The address that an email app's own unsubscribe button posts to (RFC 8058). */
  leave?: string;
}

export interface Mail {
  subject: string;
  html: string;
  text: string;
  replyTo?: string;
  leave?: string;
}

/** The colors of the site's design tokens (styles/tokens.css) in a format email apps understand. */
const LIGHT = {
  paper: '#fbfaf5',
  surface: '#fffefb',
  ink: '#1a251d',
  muted: '#505b52',
  line: '#dcddd4',
  primary: '#1a5e3a',
  onPrimary: '#fbfcf8',
};

const DARK_STYLE = new Html(`<style>
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (prefers-color-scheme: dark) {
        .paper { background: #0d1611 !important; }
        .card { background: #141f19 !important; border-color: #2f3a32 !important; }
        .ink { color: #ebece3 !important; }
        .muted { color: #a7aea0 !important; }
        .link { color: #95d6a6 !important; }
        .button { background: #95d6a6 !important; }
        .button a { color: #051e12 !important; }
        .code { background: #1a2a22 !important; border-color: #2f3a32 !important; }
      }
    </style>`);

const TEXT_FONT = "Figtree, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const HEADING_FONT = "Fraunces, Georgia, 'Times New Roman', serif";

/** Renders an email as HTML, with one button, and as plain text with the same words. */
export function drawMail(parts: MailParts, brand: MailBrand): Mail {
  return {
    subject: parts.subject,
    html: asHtml(parts, brand).markup,
    text: asText(parts, brand),
    ...(parts.replyTo ? { replyTo: parts.replyTo } : {}),
    ...(parts.leave ? { leave: parts.leave } : {}),
  };
}

function asHtml(parts: MailParts, brand: MailBrand): Html {
  const text = (color: string, size = '16px') =>
    `margin:0 0 16px;font-family:${TEXT_FONT};font-size:${size};line-height:1.58;color:${color};`;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${parts.subject}</title>
    ${DARK_STYLE}
  </head>
  <body class="paper" style="margin:0;padding:0;background:${LIGHT.paper};">
    <div style="display:none;max-height:0;overflow:hidden;">${parts.preview}</div>
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="paper" style="background:${LIGHT.paper};">
      <tr>
        <td align="center" style="padding:32px 16px;">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;">
            <tr>
              <td class="ink" style="padding:0 4px 16px;font-family:${HEADING_FONT};font-size:20px;color:${LIGHT.ink};">${brand.product}</td>
            </tr>
            <tr>
              <td class="card" style="padding:32px 28px 20px;background:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:18px;">
                <h1 class="ink" style="margin:0 0 16px;font-family:${HEADING_FONT};font-weight:500;font-size:28px;line-height:1.2;color:${LIGHT.ink};">${parts.heading}</h1>
                ${parts.paragraphs.map((paragraph) => html`<p class="ink" style="${text(LIGHT.ink)}">${paragraph}</p>\n                `)}${drawArticle(parts, brand)}${drawTalks(parts, text)}${drawCode(parts)}${drawButton(parts, text)}${drawAside(parts, text)}
              </td>
            </tr>
            <tr>
              <td style="padding:20px 4px 0;">
                <p class="muted" style="${text(LIGHT.muted, '14px')}">${parts.why}${drawUnsubscribe(parts)}</p>
                <p class="muted" style="${text(LIGHT.muted, '14px')}">${brand.organisation} sent this email from <a class="link" href="${brand.siteUrl}" style="color:${LIGHT.primary};">${brand.siteUrl}</a>. Questions: <a class="link" href="mailto:${brand.email}" style="color:${LIGHT.primary};">${brand.email}</a></p>
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
}

function drawArticle({ article }: MailParts, { siteUrl }: MailBrand): Html | null {
  if (article === undefined) return null;
  const fonts = { textFont: TEXT_FONT, headingFont: HEADING_FONT };
  return articleHtml(readArticle(article), { ...LIGHT, ...fonts, siteUrl });
}

function drawTalks(parts: MailParts, text: (color: string, size?: string) => string): Html | null {
  if (!parts.talks?.length) return null;
  return html`${parts.talks.map(
    ({
      heading,
      said,
      after,
    }) => html`<h2 class="ink" style="margin:24px 0 8px;font-family:${TEXT_FONT};font-weight:600;font-size:16px;line-height:1.4;color:${LIGHT.ink};">${heading}</h2>
                ${said.map(
                  ({
                    by,
                    text: words,
                  }) => html`<p class="card ink" style="${text(LIGHT.ink)}padding:0 0 0 14px;border-left:3px solid ${LIGHT.line};white-space:pre-line;"><strong>${by}</strong>\n${words}</p>
                `,
                )}${after ? html`<p class="muted" style="${text(LIGHT.muted, '14px')}">${after}</p>\n                ` : null}`,
  )}`;
}

function drawCode(parts: MailParts): Html | null {
  if (!parts.code) return null;
  return html`<p class="code ink" style="margin:0 0 20px;padding:16px;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;letter-spacing:6px;color:${LIGHT.ink};background:${LIGHT.paper};border:1px solid ${LIGHT.line};border-radius:11px;">${parts.code}</p>
                `;
}

function drawButton(parts: MailParts, text: (color: string, size?: string) => string): Html | null {
  if (!parts.button) return null;
  const { label, href } = parts.button;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 20px;">
                  <tr>
                    <td class="button" style="background:${LIGHT.primary};border-radius:11px;"><a href="${href}" style="display:inline-block;padding:12px 22px;font-family:${TEXT_FONT};font-size:16px;font-weight:600;color:${LIGHT.onPrimary};text-decoration:none;">${label}</a></td>
                  </tr>
                </table>
                <p class="muted" style="${text(LIGHT.muted, '14px')}">Or open this link: <a class="link" href="${href}" style="color:${LIGHT.primary};word-break:break-all;">${href}</a></p>
                `;
}

function drawAside(parts: MailParts, text: (color: string, size?: string) => string): Html | null {
  if (!parts.aside) return null;
  const { before, label, href } = parts.aside;
  return html`<p class="ink" style="${text(LIGHT.ink)}">${before} <a class="link" href="${href}" style="color:${LIGHT.primary};">${label}</a></p>`;
}

function drawUnsubscribe({ unsubscribe }: MailParts): Html | null {
  if (!unsubscribe) return null;
  return html` <a class="link" href="${unsubscribe}" style="color:${LIGHT.primary};">Unsubscribe</a>`;
}

function asText(parts: MailParts, brand: MailBrand): string {
  const blocks = [
    parts.heading,
    ...parts.paragraphs,
    ...(parts.article === undefined
      ? []
      : [articleText(readArticle(parts.article), brand.siteUrl)]),
    ...(parts.talks ?? []).flatMap(({ heading, said, after }) => [
      heading,
      ...said.map(({ by, text }) => `${by}:\n${text.replace(/^/gm, '> ')}`),
      ...(after ? [after] : []),
    ]),
    ...(parts.code ? [`    ${parts.code}`] : []),
    ...(parts.button ? [`${parts.button.label}:\n${parts.button.href}`] : []),
    ...(parts.aside ? [`${parts.aside.before} ${parts.aside.label}:\n${parts.aside.href}`] : []),
    '--',
    parts.why,
    ...(parts.unsubscribe ? [`Unsubscribe:\n${parts.unsubscribe}`] : []),
    `${brand.organisation} sent this email from ${brand.siteUrl}\nQuestions: ${brand.email}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}
