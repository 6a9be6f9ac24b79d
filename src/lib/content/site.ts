/**
 * Facts about the organization that runs this site, from `content/site.yaml`: names, addresses,
 * whether its examples are made up. For pages and layouts; server code reads the file itself.
 */
import { parse } from 'yaml';
import words from '../../../content/site.yaml?raw';

export interface Site {
  product: string;
  /** Replaces `{product}` in paths. */
  slug: string;
  tagline: string;
  description: string;
  /** The public origin, without a trailing slash. */
  url: string;
  organisation: string;
  email: string;
  /** Where people ask about the data we store about them. */
  privacy_email: string;
  phone: string;
  address: { street: string; city: string; region: string; postal_code: string; country: string };
  hours: string;
  social: { name: string; url: string }[];
  /** While true, pages with examples show `notice`. */
  illustrative: boolean;
  notice: string;
}

export const site = parse(words) as Site;

/** What a link that calls the organization leads to. */
export const phoneLink = `tel:${site.phone.replace(/[^+\d]/g, '')}`;
