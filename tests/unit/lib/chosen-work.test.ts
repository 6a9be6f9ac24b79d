import { expect, test } from 'vitest';
import { CHOSEN_COOKIE, chosenWorkIn, keepChosenWork } from '#lib/chosen-work.ts';

const [MARIA, LUIS] = [
  '01980000-0000-7000-8000-000000000001',
  '01980000-0000-7000-8000-000000000002',
];
const QUERY = 'area=sales-marketing&action=sales-marketing.price';

/** What a browser sends after the page of the form has answered. */
function headerAfter(query: string, userId = MARIA): string {
  let header = 'trellis-business=1';
  const cookies = {
    set: (name: string, value: string) => {
      header += `; ${name}=${encodeURIComponent(value)}`;
    },
  };
  keepChosenWork(cookies, userId, new URLSearchParams(query), true);
  return header;
}

test('What was chosen leads back to the form, for the person who chose it alone', () => {
  const header = headerAfter(QUERY);
  expect(chosenWorkIn(header, MARIA)).toBe(`/dashboard/projects/new?${QUERY}`);
  expect(chosenWorkIn(header, LUIS)).toBeNull();
  expect(chosenWorkIn('', MARIA)).toBeNull();
});

test('Text with any letters comes back as it was, and never leads to another page', () => {
  const title = 'title=Prices+%26+%C2%BFpor+qu%C3%A9%3F%3B%2F%2Fevil.example';
  expect(chosenWorkIn(headerAfter(title), MARIA)).toBe(`/dashboard/projects/new?${title}`);
  expect(chosenWorkIn(`${CHOSEN_COOKIE}=${MARIA}.//evil.example`, MARIA)).toMatch(
    /^\/dashboard\/projects\/new\?/,
  );
});

test('What’s too long for a cookie isn’t kept, and a damaged cookie means nothing', () => {
  expect(chosenWorkIn(headerAfter(`title=${'a'.repeat(1200)}`), MARIA)).toBeNull();
  expect(chosenWorkIn(`${CHOSEN_COOKIE}=${MARIA}.%E0%A4%A`, MARIA)).toBeNull();
  expect(chosenWorkIn(`${CHOSEN_COOKIE}=${MARIA}.`, MARIA)).toBeNull();
});
