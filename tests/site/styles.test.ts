import { beforeAll, describe, expect, test } from 'vitest';
import { builtSite, type Site, siteOf } from './built-site.ts';
import { sheetsOf, styleDefects } from './styles.ts';
import { bad } from './wrong-pages.ts';

describe('The stylesheets of the built site', () => {
  let site: Site;
  let sheets: string[];
  beforeAll(async () => {
    site = await builtSite();
    sheets = ['/about', '/pages/business-skills-quiz'].map((path) => {
      const page = site.pages.get(path);
      return (page && sheetsOf(page)[0]) ?? `none on ${path}`;
    });
  });

  test('are one for reading pages and one for the app, with a hash in their names', () => {
    expect(new Set(sheets).size).toBe(2);
    for (const sheet of sheets) expect(sheet).toMatch(/^\/_astro\/[\w-]+\.[\w-]{8}\.css$/);
  });

  test('have a rule for every class on the pages that link them', () => {
    const defects = [...site.pages.values()].flatMap((page) => styleDefects(site, page, sheets));
    expect(defects).toEqual([]);
  });
});

describe('A page whose stylesheet lacks something is named', () => {
  const saidOf = async (links: string, body: string) => {
    const site = await siteOf({
      '/a/index.html': bad({ body }).replace('</head>', `${links}</head>`),
      '/reading.css': '.flex{display:flex}@media (width>=48rem){.md\\:grid{display:grid}}',
      '/app.css': '.flex{display:flex}.float{float:left}',
    });
    const page = site.pages.get('/a');
    return page ? styleDefects(site, page, ['/reading.css', '/app.css']) : ['no page'];
  };
  const link = (sheet: string) => `<link rel="stylesheet" href="/${sheet}.css">`;

  test.each([
    ['a class of its own sheet', link('reading'), '<p class="flex md:grid">A</p>'],
    ['a class that no sheet has', link('reading'), '<p class="signed-out-story">A</p>'],
    ['a drawing with its own parts', link('app'), '<svg><use href="#leaf"/></svg>'],
  ])('but not for %s', async (_, links, body) => {
    expect(await saidOf(links, body)).toEqual([]);
  });

  test.each([
    ['a class of the other sheet', link('reading'), '<p class="float">A</p>', 'the class float'],
    ['the same in a drawing', link('app'), '<svg><g class="md:grid"/></svg>', 'class md:grid'],
    ['both sheets', link('reading') + link('app'), '<p>A</p>', 'links 2 of'],
    ['none', '', '<p>A</p>', 'links 0 of'],
    ['a drawing in a file', link('app'), '<svg><use href="/d.svg#a"/></svg>', 'draws /d.svg#a'],
  ])('for %s', async (_, links, body, defect) => {
    const said = await saidOf(links, body);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(defect);
  });
});
