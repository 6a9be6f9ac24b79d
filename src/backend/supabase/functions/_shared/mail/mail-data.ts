import type { MailBrand, MailParts } from './layout.ts';

/** The data of a queued email for its template. */
export type MailData = Record<string, unknown>;

/** Emails by name: each from a row's data and the sender. They throw if the data is incomplete. */
export type Templates = Record<string, (data: MailData, brand: MailBrand) => MailParts>;

/** One line of text: a line break in a subject would start another header. */
export function line(data: MailData, name: string): string {
  const value = data[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw new Error(`This email has no "${name}".`);
  return value.replace(/\s+/g, ' ').trim();
}

const NAME_LENGTH = 60;

/**
 * A person's or business's name in an email to a stranger: short, and without anything an email app
 * would turn into a link. A dot between letters (`example.com`) gets spaces around it.
 */
export function name(data: MailData, key: string): string {
  const value = line(data, key)
    .replace(/[a-z][a-z\d+.-]*:\/\/\S*/gi, '…')
    .replace(/(?<=[\p{L}\d])\.(?=\p{L}{2})/gu, ' . ');
  return value.length > NAME_LENGTH
    ? `${value.slice(0, NAME_LENGTH).toWellFormed().trimEnd()}…`
    : value;
}

/** How many there are of a thing, in words. */
export const count = (number: number, thing: string) =>
  `${number} ${thing}${number === 1 ? '' : 's'}`;

/** The lines of what someone wrote, without the empty ones. */
export const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/\n+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Several of what `line` gives. */
export function lines(data: MailData, name: string): string[] {
  const value = data[name];
  if (!Array.isArray(value)) throw new Error(`This email has no "${name}".`);
  return value.map((entry) => line({ entry }, 'entry'));
}

/** An address on the web. Throws if it isn't one. */
export function link(data: MailData, name: string): string {
  const value = line(data, name);
  // In a draft for Supabase Auth, this is a placeholder.
  if (value.startsWith('{{ .SiteURL }}/')) return value;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error(`"${name}" in this email isn't a web address.`);
  }
  return value;
}

/** Where an email app's own unsubscribe button posts to, for a link that ends in #leave=<secret>. */
export const oneClickLink = (siteUrl: string, path: string): string =>
  new URL(`/functions/v1/newsletter?leave=${path.replace(/^.*#leave=/, '')}`, siteUrl).href;

/** A page's full address. Throws if it's not on this site. */
export function pathLink(siteUrl: string, path: string): string {
  const url = new URL(path, siteUrl);
  if (url.origin !== new URL(siteUrl).origin) throw new Error('A notice links only to this site.');
  return url.href;
}
