import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NewPasswordField } from '#features/account/account-parts.tsx';

/** How the hint of a password is read out as it changes, and what it says. */
const hintFor = (password: string) =>
  /aria-live="(\w+)">([^<]*)/
    .exec(renderToStaticMarkup(<NewPasswordField password={password} email="" />))
    ?.slice(1);

test('A screen reader says how strong a password is, but doesn’t count down its characters', () => {
  expect(hintFor('plum')).toEqual(['off', '6 more characters.']);
  expect(hintFor('plum-harbor')).toEqual(['polite', 'Long enough. Longer is better.']);
  expect(hintFor('plum-harbor-lantern')).toEqual(['polite', 'Strong.']);
});
