/** Importing a list of people and businesses: which column is what, and rows as they're sent. */

/** The fields of a row, with their labels and the headers that they're recognized by. */
export const IMPORT_FIELDS = {
  email: { label: 'Email', headers: ['email', 'emailaddress', 'mail', 'contactemail'] },
  name: {
    label: 'Name',
    headers: ['name', 'fullname', 'contact', 'contactname', 'client', 'clientname'],
  },
  first_name: { label: 'First name', headers: ['firstname', 'first', 'givenname'] },
  last_name: { label: 'Last name', headers: ['lastname', 'last', 'surname', 'familyname'] },
  phone: { label: 'Phone', headers: ['phone', 'phonenumber', 'telephone', 'mobile', 'cell'] },
  business: {
    label: 'Business',
    headers: ['business', 'businessname', 'company', 'companyname', 'organization', 'employer'],
  },
  city: { label: 'City of the business', headers: ['city', 'town', 'businesscity'] },
  postal_code: {
    label: 'ZIP code of the business',
    headers: ['zip', 'zipcode', 'postalcode', 'postcode', 'businesszip'],
  },
  website: { label: 'Website', headers: ['website', 'web', 'url', 'site', 'homepage'] },
  consent: {
    label: 'Newsletter (yes or no)',
    headers: ['newsletter', 'consent', 'newsletterconsent', 'optin', 'subscribed', 'marketing'],
  },
  consent_on: {
    label: 'Newsletter since',
    headers: ['consentdate', 'consenton', 'newslettersince', 'optindate', 'subscribedon'],
  },
  consent_basis: {
    label: 'What they agreed to',
    headers: [
      'consentbasis',
      'basis',
      'consentwording',
      'consentsource',
      'optinsource',
      'agreedto',
    ],
  },
} as const;
export type ImportField = keyof typeof IMPORT_FIELDS;
export const IMPORT_FIELD_NAMES = Object.keys(IMPORT_FIELDS) as ImportField[];

/** The field of each column; null: it isn't imported. */
export type ImportColumns = readonly (ImportField | null)[];

const plain = (header: string) => header.toLowerCase().replace(/[^a-z]/g, '');

/** Guesses what each column is from the file's first line. Each field is used once. */
export function guessColumns(headers: readonly string[]): ImportColumns {
  const used = new Set<ImportField>();
  return headers.map((header) => {
    const found = IMPORT_FIELD_NAMES.find(
      (field) =>
        !used.has(field) &&
        (IMPORT_FIELDS[field].headers as readonly string[]).includes(plain(header)),
    );
    if (found) used.add(found);
    return found ?? null;
  });
}

/** Why these columns can't be imported; null if they can. */
export function columnsProblem(columns: ImportColumns): string | null {
  if (!columns.includes('email')) return 'Choose the column with the email addresses.';
  const twice = IMPORT_FIELD_NAMES.find(
    (field) => columns.filter((each) => each === field).length > 1,
  );
  if (twice) return `Two columns are “${IMPORT_FIELDS[twice].label}”. Choose one of them.`;
  return null;
}

/** A row as the database gets it: its number in the file, and its fields. */
export type ImportRow = { row: number } & Partial<Record<ImportField, string>>;

/** A cell's text, without the quote that keeps spreadsheets from running it as a formula. */
const cleanCell = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .trim()
    .replace(/^'(?=[=+\-@])/, '');

const YES = ['yes', 'y', 'true', '1', 'x', 'subscribed'];
const NO = ['no', 'n', 'false', '0', 'unsubscribed', 'none'];

/**
 * The rows of a file, without empty ones. First and last name become one name, and yes and no are recognized in the forms
 * that spreadsheets write them; anything else is left for the database to refuse in words.
 * @param first the number of the first row, as a spreadsheet counts: 2 after a line of headers
 */
export function importRows(
  lines: readonly (readonly string[])[],
  columns: ImportColumns,
  first = 2,
): ImportRow[] {
  return lines.flatMap((line, index) => {
    if (line.every((value) => value.trim() === '')) return [];
    const row: ImportRow = { row: index + first };
    columns.forEach((field, column) => {
      const value = cleanCell(line[column] ?? '');
      if (field && value) row[field] = value;
    });
    const { first_name, last_name, ...rest } = row;
    const name = rest.name ?? [first_name, last_name].filter(Boolean).join(' ');
    const consent = rest.consent?.toLowerCase();
    return {
      ...rest,
      ...(name ? { name } : {}),
      ...(consent && YES.includes(consent) ? { consent: 'yes' } : {}),
      ...(consent && NO.includes(consent) ? { consent: 'no' } : {}),
    };
  });
}

/** Rows are sent in requests of this many. */
export const IMPORT_CHUNK = 250;

/**
 * Splits rows into requests. Rows with the same address go into one, one after the other, so that a
 * check finds what the import will.
 */
export function chunkRows(rows: readonly ImportRow[], size = IMPORT_CHUNK): ImportRow[][] {
  const byAddress = new Map<string, ImportRow[]>();
  for (const row of rows) {
    const address = row.email?.toLowerCase() ?? `row ${row.row}`;
    byAddress.set(address, [...(byAddress.get(address) ?? []), row]);
  }
  const ordered = [...byAddress.values()].flat();
  return Array.from({ length: Math.ceil(ordered.length / size) }, (_, index) =>
    ordered.slice(index * size, (index + 1) * size),
  );
}

export const IMPORT_OUTCOMES = ['new', 'changed', 'there', 'refused'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

export const IMPORT_OUTCOME_LABELS: Record<ImportOutcome, string> = {
  new: 'New contact',
  changed: 'Known contact, adds to it',
  there: 'Already there',
  refused: 'Refused',
};
