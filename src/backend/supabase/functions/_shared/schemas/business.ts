/** What a business's forms accept; the database checks the same and has the final say. */
import * as v from 'valibot';
import { email } from './account.ts';
import { textUpTo } from './fields.ts';

/** The details of a business. Everything is text, and '' while it's unknown. */
export const facts = v.object({
  name: v.pipe(textUpTo(120), v.minLength(1, 'Give the business a name.')),
  trading: v.picklist(['trading', 'not-yet', '']),
  postal_code: v.pipe(
    textUpTo(16),
    v.regex(/^[A-Za-z0-9 -]*$/, 'Use only letters, digits and spaces.'),
  ),
  help_wanted: textUpTo(2000, 'Keep it to 2,000 characters.'),
  legal_name: textUpTo(200),
  entity_type: textUpTo(80),
  industry: textUpTo(120),
  stage: textUpTo(80),
  start_date: textUpTo(10),
  home_based: v.picklist(['yes', 'no', '']),
  description: textUpTo(4000, 'Keep it to 4,000 characters.'),
  address_line1: textUpTo(200),
  address_line2: textUpTo(200),
  city: textUpTo(120),
  region: textUpTo(120),
  country: textUpTo(2),
  phone: v.pipe(
    textUpTo(40),
    v.regex(/^$|^[0-9+() ./x-]*\d[0-9+() ./x-]*$/, 'Enter a phone number such as (505) 555-0114.'),
  ),
  website: v.pipe(
    textUpTo(300),
    v.regex(/^$|^(https?:\/\/)?[^\s/.]+\.\S+$/i, 'A web address looks like www.example.com.'),
  ),
});

export type Facts = v.InferOutput<typeof facts>;
export type FactField = keyof Facts;

/** What's wrong with one field of a business, in words; null if nothing is. */
export function factProblem(field: FactField, value: string): string | null {
  return v.safeParse(facts.entries[field], value).issues?.[0].message ?? null;
}

// As in the database's clean_line: control characters, and those that change the text direction.
const GAPS = /[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu;

/** What someone typed into a field of a business, as the database stores it. */
export function factAsStored(field: FactField, value: string): string {
  if (field === 'help_wanted' || field === 'description') return value.trim();
  const line = value.replace(GAPS, ' ').trim();
  if (field === 'website' && line !== '' && !/^https?:\/\//i.test(line)) return `https://${line}`;
  return line;
}

export const invitation = v.object({ address: email });
