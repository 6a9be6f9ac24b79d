import { expect, test } from 'vitest';
import { languageOptions } from '#lib/locale/languages.ts';

const labels = (chosen: string[] = []) =>
  Object.fromEntries(languageOptions(chosen).map(({ value, label }) => [value, label]));

test('Every language has a name that people know, and no code', () => {
  const all = languageOptions([]);
  expect(all.length).toBeGreaterThan(30);
  for (const { value, label } of all) {
    expect(label, value).toMatch(/^\p{Lu}\p{L}/u);
    expect(label.toLowerCase(), value).not.toBe(value);
  }
  expect(labels()).toMatchObject({ ase: 'American Sign Language', hmn: 'Hmong', nv: 'Navajo' });
});

test('A language that was chosen and is not in the list has its name too', () => {
  expect(labels(['sgn', 'es-MX', 'en'])).toMatchObject({
    sgn: 'Sign language',
    'es-MX': 'Mexican Spanish',
    en: 'English',
  });
  expect(languageOptions(['en'])).toHaveLength(languageOptions([]).length);
});
