import { expect, test } from 'vitest';
import { createFitter } from '#integrations/page-styles.ts';
import { shortProperties } from '#integrations/short-names.ts';

const CSS = [
  '@layer components{.card{top:0}}',
  '@layer utilities{.mt-1\\.5{top:1px}.flex{top:2px}.md\\:flex:hover{top:3px}.fill-leaf{top:4px}',
  ".after\\:content-\\[\\'x\\'\\]:after{top:5px}:is(:where(.group):hover .group-hover\\:flex){top:6px}}",
].join('');
const page = (body: string, css = CSS) =>
  `<html><head><meta http-equiv="content-security-policy" content="style-src 'self' 'sha256-old=';"><style>${css}</style></head><body>${body}</body></html>`;

const fittedPage = (html: string, script = '') => createFitter(async () => script)(html);

/** What stands between the tags of the body. */
const bodyOf = (html: string) => /<body>(.*)<\/body>/.exec(html)?.[1];
const styleOf = (html: string) => /<style>(.*)<\/style>/.exec(html)?.[1];

test('Classes of Tailwind have short names in the styles of a page and in its tags, our own keep theirs', async () => {
  const fitted = await fittedPage(page('<p class="card mt-1.5\n  flex">Words</p>'));
  expect(bodyOf(fitted)).toBe('<p class="card A B">Words</p>');
  expect(styleOf(fitted)).toBe(
    '@layer components{.card{top:0}}@layer utilities{.A{top:1px}.B{top:2px}}',
  );
});

test('Names that are escaped in HTML, and those that stand inside a condition, are the same class', async () => {
  const fitted = await fittedPage(
    page(`<p class="group"><b class="after:content-[&#39;x&#39;] group-hover:flex">x</b></p>`),
  );
  const [, group = '', after = '', hover = ''] =
    /<p class="(\w+)"><b class="(\w+) (\w+)">/.exec(bodyOf(fitted) ?? '') ?? [];
  expect(styleOf(fitted)).toContain(
    `.${after}:after{top:5px}:is(:where(.${group}):hover .${hover}){top:6px}`,
  );
});

test('A class has the same short name on every page', async () => {
  const fitter = createFitter(async () => '');
  const one = await fitter(page('<p class="md:flex">x</p>'));
  const other = await fitter(page('<p class="flex mt-1.5 md:flex">x</p>'));
  const name = /class="(\w+)"/.exec(one)?.[1];
  expect(bodyOf(other)).toMatch(new RegExp(`class="\\w+ \\w+ ${name}"`));
});

test('A class that a script knows keeps its name, however the script writes it', async () => {
  const body = '<p class="flex mt-1.5">x</p><script src="/_astro/x.js"></script>';
  const toggles = await fittedPage(page(body), 'el.classList.toggle("flex")');
  expect(bodyOf(toggles)).toContain('<p class="flex A">');
  const looks = await fittedPage(page(body), 'document.querySelector(".flex > p")');
  expect(bodyOf(looks)).toContain('<p class="flex A">');
});

test('A class keeps its name where a selector looks for a part of it', async () => {
  const css = `${CSS}svg [class*="fill-"]{top:6px}`;
  const body = '<svg><path class="fill-leaf flex"></path></svg>';
  expect(bodyOf(await fittedPage(page(body, css)))).toContain('class="fill-leaf B"');
});

test('Words that look like HTML stay as they were written', async () => {
  const body = '<p title="a > b" class="flex">&lt;p class="flex"&gt; and class="flex"</p>';
  expect(bodyOf(await fittedPage(page(body)))).toBe(body.replace('class="flex">', 'class="B">'));
});

test('All styles of a page stand in one element, in their order', async () => {
  const html = page('<p>x</p>', 'p{top:1px}').replace(
    '<html><head>',
    '<html><head><style>b,p{top:0}</style>',
  );
  const fitted = await fittedPage(html);
  expect(fitted.match(/<style>.*?<\/style>/g)).toEqual(['<style>p{top:0}p{top:1px}</style>']);
});

test('Custom properties have one short name in all styles, but for those that a page or script names', () => {
  const short = shortProperties();
  const made = short(':root{--color-ink:#000;--color-line:red}p{color:var(--color-ink)}', []);
  expect(made).toBe(':root{--A:#000;--B:red}p{color:var(--A)}');
  const next = short('.card--wide{color:var(--color-line);--size:1;--over:2}', ['--size', '--ov-']);
  expect(next).toBe('.card--wide{color:var(--B);--size:1;--C:2}');
  expect(short('a{--over:2;--over-all:3}', ['--over-'])).toBe('a{--C:2;--over-all:3}');
});
