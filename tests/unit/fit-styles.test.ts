import { expect, test } from 'vitest';
import { fitSheets, readSheet } from '#integrations/fit-styles.ts';
import { createFitter } from '#integrations/page-styles.ts';

/** The share of a sheet for a page that knows these names, as page-names.ts writes them. */
function shareOf(css: string, names: string[], outside: string[] = []): string {
  return fitSheets([readSheet(css)], (name) => names.includes(name), outside).join('');
}

test('A page keeps the rules that an element of it can match, and no others', () => {
  const css = '.card{color:red}.chip{color:blue}#main{top:0}h1{top:1px}h2{top:2px}[href]{top:3px}';
  expect(shareOf(css, ['card', '#main', '<h1'])).toBe('.card{color:red}#main{top:0}h1{top:1px}');
});

test('One selector of a list goes without the others', () => {
  expect(shareOf('h1,h2,.card p{top:0}', ['<h2', '<p'])).toBe('h2{top:0}');
});

test('A list with a selector that a browser may not know goes or stays as a whole', () => {
  const css = 'input::-webkit-meter-bar,p{top:0}';
  expect(shareOf(css, ['<p'])).toBe(css);
  expect(shareOf(css, ['<h1'])).toBe('');
});

test('What scripts and browsers add to a page is expected', () => {
  const css =
    ':root[data-theme=dark]{top:0}[data-session] p{top:1px}p[aria-pressed=true]{top:2px}p:user-invalid{top:3px}p[open]{top:4px}';
  expect(shareOf(css, ['<p'])).toBe(css);
});

test('Inside :is any will do, inside :has it must be there, inside :not it need not', () => {
  expect(shareOf(':is(h1,h2) b{top:0}', ['<h2', '<b'])).toBe(':is(h1,h2) b{top:0}');
  expect(shareOf(':is(h1,h2) b{top:0}', ['<b'])).toBe('');
  expect(shareOf('p:has(.card){top:0}', ['<p'])).toBe('');
  expect(shareOf('p:not(.card){top:0}', ['<p'])).toBe('p:not(.card){top:0}');
});

test('Rules inside rules are weighed by themselves', () => {
  const css = '.prose{top:0;& table{top:1px}&>h2+*{top:2px}}';
  expect(shareOf(css, ['prose', '<h2'])).toBe('.prose{top:0;&>h2+*{top:2px}}');
});

test('Names that are escaped in CSS are known as HTML writes them', () => {
  const css = '.mt-1\\.5{top:0}.\\[\\&\\>p\\]\\:mt-4>p{top:1px}';
  expect(shareOf(css, ['mt-1.5'])).toBe('.mt-1\\.5{top:0}');
  expect(shareOf(css, ['[&>p]:mt-4', '<p'])).toBe('.\\[\\&\\>p\\]\\:mt-4>p{top:1px}');
});

test('A custom property stays while something left asks for it, through others too', () => {
  const css =
    ':root{--a:var(--b);--b:1px;--c:2px;--d:3px}@property --c{syntax:"*";inherits:false}p{top:var(--a)}.card{top:var(--c)}';
  expect(shareOf(css, ['<p'])).toBe(':root{--a:var(--b);--b:1px}p{top:var(--a)}');
  expect(shareOf(css, ['<p'], ['--d'])).toContain('--d:3px');
});

test('Keyframes stay while something left moves by them', () => {
  const css =
    ':root{--rise:rise 1s}@keyframes rise{to{top:0}}@keyframes turn{to{top:1px}}p{animation:var(--rise)}.spin{animation:turn 1s}';
  expect(shareOf(css, ['<p'])).toBe(
    ':root{--rise:rise 1s}@keyframes rise{to{top:0}}p{animation:var(--rise)}',
  );
});

test('Layers keep their order when one of them is empty, conditions go when nothing is in them', () => {
  const css =
    '@layer base{.card{top:0}}@layer utilities{p{top:1px}}@media print{.card{top:2px}}@font-face{font-family:x}';
  expect(shareOf(css, ['<p'])).toBe(
    '@layer base;@layer utilities{p{top:1px}}@font-face{font-family:x}',
  );
});

const page = (body: string, css: string) =>
  `<html><head><meta http-equiv="content-security-policy" content="script-src 'self' 'sha256-other='; style-src 'self' 'sha256-old=' 'sha256-older=';"><style>${css}</style></head><body>${body}</body></html>`;
const nothing = async () => '';

test('The policy of a page names the styles that are left, and the scripts that are there', async () => {
  const fitted = await createFitter(nothing)(page('<p>Words</p>', 'p{top:0}.card{top:1px}'));
  expect(fitted).toContain('<style>p{top:0}</style>');
  // openssl dgst -sha256 -binary <<< 'p{top:0}' without the line's end, in base64
  expect(fitted).toContain(
    "style-src 'self' 'sha256-8EJL2E40VnnGherz8izbHnhSLNfS7seXQ/iH7JDUNko=';",
  );
  expect(fitted).not.toContain('sha256-other');
});

test('What a script of the page puts there later is kept, its dependencies included', async () => {
  const files: Record<string, string> = {
    '/_astro/search.js': 'import("./results.js")',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template stands in the script
    '/_astro/results.js': 'el.innerHTML=`<li class="hit mark-${n}">`;el.dataset.openNow=""',
  };
  const css =
    '.hit{top:0}.mark-2{top:1px}.miss{top:2px}li{top:3px}[data-open-now]{top:4px}ol{top:5px}';
  const html = page('<script type="module" src="/_astro/search.js"></script>', css);
  const fitted = await createFitter(async (address) => files[address] ?? '')(html);
  expect(fitted).toContain(
    '<style>.hit{top:0}.mark-2{top:1px}li{top:3px}[data-open-now]{top:4px}</style>',
  );
});

test('A page with islands is left as it is', async () => {
  const html = page('<astro-island></astro-island>', '.card{top:0}');
  expect(await createFitter(nothing)(html)).toBe(html);
});
