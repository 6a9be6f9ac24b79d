/** The list of countries for forms. */

/** Codes that aren't countries: regions, reserved codes and private-use codes. */
const NONE = new Set('EU EZ QO UN XA XB ZZ AC CP CQ DG EA IC TA'.split(' '));
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

let made: { value: string; label: string }[] | undefined;

/** ISO 3166-1 codes with their English names, sorted by name. */
export function countries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  made ??= LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NONE.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((value) => {
      const label = names.of(value);
      return label ? [{ value, label }] : [];
    })
    // A retired code has the same name as its successor, so keep one code per name.
    .filter(({ value, label }, _, all) => all.find((one) => one.label === label)?.value === value)
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
  return made;
}
