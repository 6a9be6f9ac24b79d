import { beforeAll, describe, expect, test } from 'vitest';
import { builtSite, type Site, siteOf } from './built-site.ts';
import { assetDefects, linkDefects } from './links.ts';
import { bad, picture } from './wrong-pages.ts';

describe('Every built page', () => {
  let site: Site;
  beforeAll(async () => {
    site = await builtSite();
  });

  test('leads to pages, parts, pictures and files that are there, and loads nothing from elsewhere', () => {
    expect([...site.pages.values()].flatMap((page) => linkDefects(site, page))).toEqual([]);
  });

  test('has scripts and styles that find what they ask for', () => {
    expect([...site.files].filter((file) => file.endsWith('.js')).length).toBeGreaterThan(20);
    expect(assetDefects(site)).toEqual([]);
  });

  test('has a script with React that tells Chrome to compile it while it loads', () => {
    const react = [...site.files].filter((file) => /\/react\.[^/]+\.js$/.test(file));
    expect(react).toHaveLength(1);
    expect(site.read(react[0] ?? '').toString()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  });
});

describe('An address that leads nowhere is named with its page', () => {
  const files = async (body: string) => ({
    '/a/index.html': bad({ body }),
    '/b/index.html': bad({ path: '/b', body: '<h2 id="part">Part</h2>' }),
    '/flyer/index.html': '<meta http-equiv="refresh" content="0; url=/b"><h1>Continue</h1>',
    '/og/a.png': await picture(1200, 630),
    '/sprites.svg': '<svg><symbol id="rose"/></svg>',
  });
  const saidOf = async (body: string) => {
    const site = await siteOf(await files(body));
    const page = site.pages.get('/a');
    return page ? linkDefects(site, page) : ['no page'];
  };

  test.each([
    '<a href="/b">B</a>',
    '<a href="/b#part">B</a>',
    '<a href="#own">B</a><h2 id="own">Own</h2>',
    '<a href="https://site.example/b">B</a>',
    '<a href="/login?next=/dashboard/skills">In</a>',
    '<a href="/og/a.png">A picture</a>',
    '<a href="mailto:a@site.example">Mail</a>',
    '<a href="https://other.example/">Elsewhere</a>',
    '<form action="/functions/v1/contact"></form>',
    '<svg><use href="/sprites.svg#rose"></use></svg>',
    '<img src="data:image/png;base64,AA" alt="">',
  ])('but not %s', async (body) => {
    expect(await saidOf(body)).toEqual([]);
  });

  test.each([
    ['<a href="/c">C</a>', '<a> /c leads nowhere'],
    ['<a href="/blog/no-such-article">C</a>', 'leads nowhere'],
    ['<a href="/b/">B</a>', 'ends with a slash'],
    ['<a href="/b#no">B</a>', 'leads to a part that is not there'],
    ['<a href="#no">B</a>', 'leads to a part that is not there'],
    ['<a href="/flyer">B</a>', 'leads to a page that only leads on'],
    ['<a href="/login?next=/nowhere">In</a>', 'leads on to nowhere'],
    ['<a href="http://other.example/">Elsewhere</a>', 'is not https'],
    ['<a href="javascript:go()">Go</a>', 'is not https'],
    ['<a href="mailto:">Mail</a>', 'has nobody'],
    ['<form action="/functions/v1/no-such"></form>', 'leads nowhere'],
    ['<svg><path fill="url(#no)"/></svg>', '#no is not there'],
    ['<svg><use href="#no"></use></svg>', 'leads to a part that is not there'],
    ['<svg><use href="/sprites.svg#no"></use></svg>', 'is not drawn there'],
    ['<img src="/no.png" alt="">', 'leads nowhere'],
    ['<img srcset="/og/a.png 1x, /no.png 2x" alt="">', '/no.png leads nowhere'],
    ['<video poster="/no.png"></video>', 'leads nowhere'],
    ['<script src="https://other.example/a.js"></script>', 'is asked of another site'],
    ['<link rel="stylesheet" href="https://other.example/a.css">', 'is asked of another site'],
    ['<style>@import "https://other.example/a.css";</style>', 'is asked of another site'],
    ['<style>p{background:url(/no.png)}</style>', 'leads nowhere'],
    ['<button type="button" popovertarget="no">A</button>', 'names a part that is not there'],
  ])('%s', async (body, defect) => {
    const said = await saidOf(body);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^\/a\/index\.html(:\d+:\d+)? </);
    expect(said[0]).toContain(defect);
  });

  test('so is what a script or a style sheet asks for', async () => {
    const site = await siteOf({
      '/_astro/a.js': 'import"./b.js";import("./c.js")',
      '/_astro/b.js': '',
      '/_astro/a.css': 'p{src:url(https://other.example/a.woff2)}q{src:url("no.woff2")}',
    });
    expect(assetDefects(site)).toEqual([
      '/_astro/a.js ./c.js leads nowhere',
      '/_astro/a.css https://other.example/a.woff2 is asked of another site',
      '/_astro/a.css no.woff2 leads nowhere',
    ]);
  });
});
