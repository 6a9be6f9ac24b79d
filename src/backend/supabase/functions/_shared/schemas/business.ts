/** What the forms of a business accept; the database checks the same and has the last word. */
import * as z from 'zod/mini';
import { email } from './account.ts';

const line = (longest: number) =>
  z.string().check(z.trim(), z.maxLength(longest, `Use at most ${longest} characters.`));

/** What a business says of itself. Everything is a text, and '' while it is unknown. */
export const facts = z.object({
  name: line(120).check(z.minLength(1, 'Give the business a name.')),
  trading: z.enum(['trading', 'not-yet', '']),
  postal_code: line(16).check(
    z.regex(/^[A-Za-z0-9 -]*$/, 'A postal code has letters, digits and spaces only.'),
  ),
  help_wanted: z.string().check(z.trim(), z.maxLength(2000, 'Keep it to 2,000 characters.')),
  legal_name: line(200),
  entity_type: line(80),
  industry: line(120),
  stage: line(80),
  start_date: line(10),
  home_based: z.enum(['yes', 'no', '']),
  description: z.string().check(z.trim(), z.maxLength(4000, 'Keep it to 4,000 characters.')),
  address_line1: line(200),
  address_line2: line(200),
  city: line(120),
  region: line(120),
  country: line(2),
  phone: line(40).check(
    z.regex(
      /^$|^[0-9+() ./x-]*\d[0-9+() ./x-]*$/,
      'A telephone number has digits, such as +1 505 555 0114.',
    ),
  ),
  website: line(300).check(
    z.regex(/^$|^(https?:\/\/)?[^\s/.]+\.\S+$/i, 'A web address looks like www.example.com.'),
  ),
});

export type Facts = z.infer<typeof facts>;
export type FactField = keyof Facts;

/** What is wrong with one field of a business, in words; null when nothing is. */
export function factProblem(field: FactField, value: string): string | null {
  const read = facts.shape[field].safeParse(value);
  return read.success ? null : (read.error.issues[0]?.message ?? 'This does not fit.');
}

// As in the database's clean_line: control characters, and those that make words run backwards.
const GAPS = /[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu;

/** What somebody typed into a field of a business, as the database writes it down. */
export function factAsStored(field: FactField, value: string): string {
  if (field === 'help_wanted' || field === 'description') return value.trim();
  const line = value.replace(GAPS, ' ').trim();
  if (field === 'website' && line !== '' && !/^https?:\/\//i.test(line)) return `https://${line}`;
  return line;
}

export const invitation = z.object({ address: email });
