/** Order matters: user agents of browsers higher up also name browsers further down. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

const first = (list: [RegExp, string][], text: string) =>
  list.find(([sign]) => sign.test(text))?.[1];

/** Names a browser from its user agent, such as "Firefox on Windows". A hint: it can be faked. */
export function deviceName(userAgent: string | null): string {
  const browser = first(BROWSERS, userAgent ?? '');
  const system = first(SYSTEMS, userAgent ?? '');
  if (!browser && !system) return 'An unknown browser';
  return `${browser ?? 'A browser'}${system ? ` on ${system}` : ''}`;
}
