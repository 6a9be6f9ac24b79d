/**
 * The words of the organisation that runs this site, from `content/site.yaml`: its name, its
 * addresses, and whether its examples are made up. For pages and layouts; a server's own code reads
 * the file itself.
 */
import { parse } from 'yaml';
import words from '../../../content/site.yaml?raw';

export interface Site {
  product: string;
  /** What replaces {product} in paths. */
  slug: string;
  tagline: string;
  description: string;
  /** The public address, without a slash at the end. */
  url: string;
  organisation: string;
  email: string;
  /** Where people ask about what is stored about them. */
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
