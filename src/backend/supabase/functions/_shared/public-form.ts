import { createHmac, randomBytes } from 'node:crypto';
import { isOutOfSpace, OUT_OF_SPACE } from './connection.ts';
import { type Html, html } from './mail/html.ts';
import { callerOf, objectOf, refuseOtherMethods, textOf } from './requests.ts';
import { secretKeys, siteUrl } from './settings.ts';

/** Texts by the name of a form's field. */
export type Fields = Record<string, string>;

/** The result of a form: done, or error messages by field; '' is the form as a whole. */
export type Outcome =
  | { name: 'done'; to: string }
  | {
      name: 'refused';
      status: 403 | 413 | 422 | 429 | 503 | 507;
      errors: Fields;
      /** Seconds to wait before trying again. */
      retryAfter?: number;
    };

const LONGEST = 32_768;

/** Hash key for a process without a secret key: random, and never stored. */
const OWN = randomBytes(32);

/**
 * Identifies the caller, for rate limits only: keyed hashes of network and address, joined by a
 * colon. Null if the address is unknown: if all such callers shared a limit, one could lock out the
 * others.
 */
export function hashOfCaller(request: Request): string | null {
  const caller = callerOf(request);
  if (caller === null) return null;
  const [key = OWN] = secretKeys();
  const hash = (text: string) =>
    createHmac('sha256', key).update(`form:${text}`).digest('base64url');
  return `${hash(caller.network)}:${hash(caller.sender)}`;
}

/** Whether another site's page sent a form. Behind some proxies, browsers send `null` as origin. */
function isForeign(request: Request): boolean {
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null') return false;
  const host = URL.parse(origin)?.host;
  return host !== new URL(siteUrl()).host && host !== new URL(request.url).host;
}

/** Text the database can store: without control characters such as NUL, and without lone surrogates. */
const plain = (text: string) => text.toWellFormed().replace(/[\p{Cc}--[\t\n\r]]/gv, '');

/** The fields of a form or of JSON, as text; null if they can't be parsed. */
function fieldsOf(text: string, type: string): Fields | null {
  const given = type.startsWith('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(text))
    : objectOf(text);
  return (
    given &&
    Object.fromEntries(Object.entries(given).map(([key, value]) => [key, plain(String(value))]))
  );
}

/** The result for an error: with the database's own message if it's for users, or a general one. */
function failed(thrown: unknown): Outcome {
  const { code, message, detail } = thrown as { code?: string; message?: string; detail?: string };
  if (code === 'PT429') {
    const retryAfter = Number(detail) || 3600;
    return { name: 'refused', status: 429, errors: { '': message ?? '' }, retryAfter };
  }
  if (isOutOfSpace(thrown)) return { name: 'refused', status: 507, errors: { '': OUT_OF_SPACE } };
  // Without the detail, in which PostgreSQL quotes the row.
  // biome-ignore lint/suspicious/noConsole: on Supabase the console is the function's log
  console.error((thrown as Error).stack ?? message);
  const sentence = 'We couldn’t save this. Try again in a minute.';
  return { name: 'refused', status: 503, errors: { '': sentence } };
}

interface FormOptions {
  title: string;
  /** Path of the page with the form. */
  page: string;
  handle: (fields: Fields, caller: string | null) => Promise<Outcome>;
  /** The fields as they're given back with errors; by default, those of the contact form. */
  controls?: (fields: Fields, errors: Fields) => Promise<Html[]>;
}

/**
 * Responds to a form. A script gets JSON, `{ok: true}` or `{errors}`. A browser without scripts is
 * redirected to a page, or gets the form again with the errors and everything the user typed.
 */
export async function answerForm(request: Request, options: FormOptions): Promise<Response> {
  const refusal = refuseOtherMethods(request);
  if (refusal) return refusal;
  const text = await textOf(request, LONGEST);
  const fields = text === null ? null : fieldsOf(text, request.headers.get('content-type') ?? '');
  const outcome: Outcome =
    text === null
      ? { name: 'refused', status: 413, errors: { '': 'This is too long. Please shorten it.' } }
      : await decide(request, fields, options.handle);
  if (request.headers.get('accept')?.includes('application/json')) {
    return outcome.name === 'done'
      ? Response.json({ ok: true })
      : Response.json(
          { errors: outcome.errors },
          { status: outcome.status, headers: retry(outcome) },
        );
  }
  if (outcome.name === 'done') {
    return new Response(null, { status: 303, headers: { Location: siteUrl() + outcome.to } });
  }
  return new Response(
    await retryPage(options, new URL(request.url).pathname, fields ?? {}, outcome.errors),
    {
      status: outcome.status,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        'X-Robots-Tag': 'noindex',
        ...retry(outcome),
      },
    },
  );
}

const retry = (outcome: Outcome): Record<string, string> =>
  outcome.name === 'refused' && outcome.retryAfter !== undefined
    ? { 'Retry-After': `${outcome.retryAfter}` }
    : {};

async function decide(
  request: Request,
  fields: Fields | null,
  handle: FormOptions['handle'],
): Promise<Outcome> {
  if (isForeign(request)) {
    return { name: 'refused', status: 403, errors: { '': 'Please use our own form.' } };
  }
  if (!fields) {
    return { name: 'refused', status: 422, errors: { '': 'We couldn’t read this form.' } };
  }
  try {
    return await handle(fields, hashOfCaller(request));
  } catch (thrown) {
    return failed(thrown);
  }
}

const LABELS: Record<string, string> = {
  name: 'Your name',
  email: 'Email',
  business: 'Business',
  message: 'Message',
};

/** The contact form's fields with what was typed; others are kept, hidden. */
function contactControls(fields: Fields, errors: Fields): Html[] {
  const control = (name: string, value: string) =>
    name === 'message'
      ? html`<textarea id="${name}" name="${name}" rows="8">${value}</textarea>`
      : html`<input id="${name}" name="${name}" value="${value}">`;
  return Object.entries(fields).map(([name, value]) =>
    // Not `in`: a request may have a field named `constructor`, which every object has.
    Object.hasOwn(LABELS, name)
      ? html`<p><label for="${name}">${LABELS[name] ?? ''}</label>${errors[name] ? html`<strong>${errors[name]}</strong>` : null}${control(name, value)}</p>`
      : html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** The form again, with the error next to each field, for a browser without scripts. */
async function retryPage(
  { title, page, controls }: FormOptions,
  action: string,
  fields: Fields,
  errors: Fields,
): Promise<string> {
  const shown = controls ? await controls(fields, errors) : contactControls(fields, errors);
  const rest = controls
    ? Object.entries(errors).filter(([name]) => name === '')
    : Object.entries(errors).filter(([name]) => !LABELS[name] || !(name in fields));
  // A request from an emailed link has no fields that anyone typed.
  const typed = controls || Object.keys(fields).some((name) => Object.hasOwn(LABELS, name));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>:root{color-scheme:light dark}body{max-width:38rem;margin:3rem auto;padding:0 1.25rem;font:1.03rem/1.58 Figtree,sans-serif;background:light-dark(#fbfaf5,#0d1611);color:light-dark(#1a251d,#ebece3)}label{display:block;font-weight:600}strong{display:block;color:light-dark(#9a3412,#f0a17d)}input,textarea{box-sizing:border-box;width:100%;padding:.6rem .8rem;font:inherit;border:1px solid #6f7a70;border-radius:11px;background:light-dark(#fffefb,#141f19);color:inherit}button{padding:.75rem 1.5rem;font:inherit;font-weight:600;border:0;border-radius:11px;background:light-dark(#1a5e3a,#95d6a6);color:light-dark(#fbfcf8,#051e12)}a{color:inherit}fieldset{margin:0 0 1.5rem;padding:0;border:0}legend{font-weight:600}.scale{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}.scale label{display:flex;gap:.4rem;align-items:center;min-height:2.75rem;font-weight:400}.scale input{width:1.25rem;height:1.25rem;margin:0}</style>
</head><body><main>${typed ? html`<h1>Please fix one thing</h1><p>Everything you typed is still below.</p>` : html`<h1>That didn’t work</h1>`}${rest.map(([, sentence]) => html`<p><strong>${sentence}</strong></p>`)}<form method="post" action="${action}">${shown}<button>${typed ? 'Send' : 'Try again'}</button></form><p><a href="${siteUrl()}${page}">Back to the page</a></p></main></body></html>`
    .markup;
}
