/** The colors of styles/tokens.css as #rrggbb, for renderers that don't support oklch(). */

/** Converts OKLCH to sRGB with the matrices of CSS Color 4, clipping channels outside the gamut. */
function hex(lightness: number, chroma: number, hue: number): string {
  const turn = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(turn), chroma * Math.sin(turn)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
  const channels = linear.map((value) => {
    const one = Math.min(Math.max(value, 0), 1);
    const seen = one <= 0.0031308 ? 12.92 * one : 1.055 * one ** (1 / 2.4) - 0.055;
    return Math.round(seen * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/**
 * Returns a lookup by role: `ink` reads --color-ink. It throws if there's no such role.
 * @param css the text of tokens.css
 */
export function tokenColors(
  css: string,
  theme: 'light' | 'dark' = 'light',
): (role: string) => string {
  return (role) => {
    const value = new RegExp(`--color-${role}:([^;]+);`).exec(css)?.[1] ?? '';
    const both = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)];
    const one = both[theme === 'dark' ? both.length - 1 : 0];
    if (!one) throw new Error(`src/styles/tokens.css has no color called ${role}.`);
    const [lightness, chroma, hue] = one.slice(1).map(Number) as [number, number, number];
    return hex(lightness, chroma, hue);
  };
}
