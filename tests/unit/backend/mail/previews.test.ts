import { describe, expect, test } from 'vitest';
import { createMailPreviews, inTheme, mailPreviews } from '#backend/local/mail/previews.ts';
import { TEMPLATES } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { brand } from './outbox.ts';

const previews = mailPreviews(brand);
const open = (path: string, remoteAddress = '127.0.0.1', headers: Record<string, string> = {}) =>
  createMailPreviews(brand)(new Request(`${brand.siteUrl}${path}`, { headers }), { remoteAddress });

/** The relative luminance of a color such as #1a251d. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colors of an email in dark mode, by class and property. */
function darkRules(markup: string): Map<string, string> {
  const rules =
    /@media \(prefers-color-scheme: dark\) \{([\s\S]*?)\n {6}\}/.exec(markup)?.[1] ?? '';
  const found = [...rules.matchAll(/\.([\w. ]+) \{([^}]*)\}/g)].flatMap(([, name, body = '']) =>
    [...body.matchAll(/([\w-]+): (#[0-9a-f]{6}) !important/g)].map(
      ([, property, color]): [string, string] => [`${name} ${property}`, color ?? ''],
    ),
  );
  return new Map(found);
}

test('Only this machine sees the emails', async () => {
  expect((await open('/dev/emails', '192.0.2.1')).status).toBe(404);
  expect((await open('/dev/emails', '127.0.0.1', { 'x-forwarded-for': '::1' })).status).toBe(404);
  expect((await open('/dev/emails', '127.0.0.1', { host: 'evil.example' })).status).toBe(404);
  for (const path of ['/none/light', '/confirm', '/confirm/sepia', '/confirm/dark/more']) {
    expect((await open(`/dev/emails${path}`)).status, path).toBe(404);
  }
});

test('Every template is on the page, in light, dark and plain text', async () => {
  const page = await open('/dev/emails');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const markup = await page.text();
  for (const template of Object.keys(TEMPLATES)) {
    expect(markup).toContain(`src="/dev/emails/${template}/light"`);
    expect(markup).toContain(`src="/dev/emails/${template}/dark"`);
    expect(markup).toContain(`<code>${template}</code>`);
  }
  const frame = await open('/dev/emails/newsletter-welcome/dark');
  expect(frame.headers.get('content-security-policy')).toContain('sandbox');
  expect(await frame.text()).toContain('@media all');
});

describe.each(previews.map((preview) => [preview.id, preview] as const))('%s', (_id, { mail }) => {
  test('has everything it needs, in both forms', () => {
    expect(mail.subject.length).toBeLessThan(90);
    expect(mail.text.length).toBeGreaterThan(100);
    for (const form of [mail.subject, mail.html, mail.text]) {
      expect(form).not.toMatch(/undefined|null|NaN|\[object/);
    }
    // The plain text says everything that the button does.
    for (const [, href] of mail.html.matchAll(/class="button"[^>]*><a href="([^"]+)"/g)) {
      expect(mail.text).toContain(href?.replaceAll('&amp;', '&'));
    }
  });

  test('loads nothing from anywhere', () => {
    expect(mail.html).not.toMatch(/<(img|link|script|iframe|object|video)\b|url\(|@import/i);
  });

  test('has colors that can be read, in light and in dark', () => {
    const dark = darkRules(mail.html);
    const surfaces = ['#fffefb', '#fbfaf5'];
    const darkSurfaces = ['card', 'paper'].map((name) => dark.get(`${name} background`) ?? '');
    const texts = [
      ...mail.html.matchAll(/class="([\w ]+)"[^>]* style="[^"]*?(?<![-\w])color:(#\w{6})/g),
    ];
    expect(texts.length).toBeGreaterThan(3);
    for (const [, names = '', color = ''] of texts) {
      for (const surface of surfaces) expect(contrast(color, surface)).toBeGreaterThan(4.5);
      const inDark =
        names
          .split(' ')
          .map((name) => dark.get(`${name} color`))
          .find(Boolean) ?? '';
      for (const surface of darkSurfaces) {
        expect(contrast(inDark, surface), `${names} in dark`).toBeGreaterThan(4.5);
      }
    }
    const on = (name: string) => dark.get(name) ?? '';
    expect(contrast(on('button a color'), on('button background'))).toBeGreaterThan(4.5);
    expect(contrast(on('ink color'), on('code background'))).toBeGreaterThan(4.5);
    // Every text has a class: without one, it would stay dark on dark.
    const colored = [
      ...mail.html.matchAll(/<(\w+)(?: class="([^"]*)")?[^>]* style="[^"]*(?<![-\w])color:/g),
    ];
    const bare = colored.filter(([tag]) => !tag.includes('class=') && !tag.startsWith('<a href'));
    expect(bare.map(([tag]) => tag)).toEqual([]);
  });
});

test('A preview has the theme it says, whatever the browser’s is', () => {
  const [first] = previews;
  if (!first) throw new Error('No previews');
  expect(inTheme(first.mail.html, 'dark')).toContain('@media all {');
  expect(inTheme(first.mail.html, 'light')).toContain('@media not all {');
});
