import { saveFile } from '#lib/browser/save-file.ts';
import { csvOf } from '#lib/files/csv.ts';

/** A person with everything that can be imported, by headers that are recognized. */
export const EXAMPLE = {
  Email: 'sam@example.com',
  Name: 'Sam Ortiz',
  Phone: '505-555-0142',
  Business: 'Ortiz Repairs',
  City: 'Albuquerque',
  'ZIP code': '87102',
  Website: 'https://example.com',
  Newsletter: 'yes',
  'Consent date': '2026-05-04',
  'Agreed to': 'Signed up at the spring fair',
};

/** Downloads a file to fill in. */
export const saveExample = () =>
  saveFile(
    'contacts-example.csv',
    new Blob([csvOf([EXAMPLE])], { type: 'text/csv;charset=utf-8' }),
  );
