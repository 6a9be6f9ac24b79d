import { beforeAll, describe, expect, test } from 'vitest';
import { builtSite, openPage, type Site, siteOf } from './built-site.ts';
import { headDefects, markupDefects, sharedWords } from './markup.ts';
import { cardDefects, pictureDefects } from './pictures.ts';
import { policyDefects } from './policy.ts';
import { bad, picture } from './wrong-pages.ts';

let site: Site;
beforeAll(async () => {
  site = await builtSite();
});

/** Runs a check on every page and returns all defects. */
const onEachPage = async (
  check: (page: Awaited<ReturnType<typeof openPage>>) => string[] | Promise<string[]>,
) => (await Promise.all([...site.pages.values()].map(check))).flat();

describe('Every built page', () => {
  test('there are as many as a site has', () => {
    expect(site.pages.size).toBeGreaterThan(70);
  });

  test('is valid HTML, with its headings in order and no id twice', async () => {
    expect(await onEachPage(markupDefects)).toEqual([]);
  });

  test('says its language, its title, what it is about and where it belongs', async () => {
    expect(await onEachPage((page) => headDefects(page, site.origin))).toEqual([]);
  });

  test('has a title and a description of its own', () => {
    expect(sharedWords(site)).toEqual([]);
  });

  test('shows pictures that are there, have the size it says, and words for who does not see them', async () => {
    expect(await onEachPage((page) => pictureDefects(site, page))).toEqual([]);
  });

  test('has a picture of 1200 by 630 for where it is shared', async () => {
    expect(await onEachPage((page) => cardDefects(site, page))).toEqual([]);
  });

  test('holds no script, style or attribute that its own policy refuses', async () => {
    expect(await onEachPage(policyDefects)).toEqual([]);
  });
});

describe('What is wrong with a page is named with its file', () => {
  test.each([
    ['an id twice', '<p id="a">A</p><p id="a">B</p>', 'no-dup-id'],
    ['a heading that leaves one out', '<h3>Third</h3>', 'heading-level'],
    ['a list with words beside its entries', '<ul><p>Words</p></ul>', 'element-permitted-content'],
    ['an element that does not end', '<section><h2>A</h2>', 'close-order'],
    ['a style on an element', '<p style="color:red">A</p>', 'no-inline-style'],
    ['a field without a label', '<input id="a" type="text">', 'input-missing-label'],
    [
      'an attribute that is not for it',
      '<input type="radio" autocomplete="off" aria-label="A">',
      'input-attributes',
    ],
    ['a description that is not there', '<p aria-describedby="no">A</p>', 'no-missing-references'],
    ['an attribute that there is not', '<p color="red">A</p>', 'no-unknown-attributes'],
    ['a button without words', '<button type="button"></button>', 'text-content'],
  ])('%s', async (_, body, rule) => {
    const said = await markupDefects(await openPage('/a/index.html', bad({ body })));
    expect(said.join('\n')).toMatch(new RegExp(`^/a/index\\.html:\\d+:\\d+ ${rule}:`, 'm'));
  });

  test('a title that search results cut off', async () => {
    const page = await openPage('/a/index.html', bad({ title: 'A'.repeat(60) }));
    expect((await markupDefects(page)).join('\n')).toContain('long-title');
  });

  test('a page that is right is not complained of', async () => {
    const page = await openPage('/a/index.html', bad({}));
    expect(await markupDefects(page)).toEqual([]);
    expect(headDefects(page, 'https://site.example')).toEqual([]);
    expect(policyDefects(page)).toEqual([]);
  });

  test.each([
    ['no language', { lang: '' }, 'has no lang'],
    ['no title', { title: '' }, 'has no title'],
    ['no description', { description: '' }, 'has no description'],
    ['two first headings', { body: '<h1>Again</h1>' }, 'has 2 h1'],
    ['the address of another', { path: '/b' }, 'not https://site.example/a'],
    ['no picture to share', { image: '' }, 'has no og:image'],
  ])('%s', async (_, words, defect) => {
    const said = headDefects(await openPage('/a/index.html', bad(words)), 'https://site.example');
    expect(said.join('\n')).toContain(defect);
  });

  test('a title and a description that another page has, unless it is hidden', async () => {
    const twice = { '/a/index.html': bad({}), '/b/index.html': bad({ path: '/b' }) };
    expect(sharedWords(await siteOf(twice))).toEqual([
      '/b/index.html has the title of /a/index.html: A title',
      '/b/index.html has the description of /a/index.html: What it is about.',
    ]);
    const hidden = bad({ path: '/b' }).replace(
      '<head>',
      '<head><meta name="robots" content="noindex">',
    );
    expect(sharedWords(await siteOf({ ...twice, '/b/index.html': hidden }))).toEqual([]);
  });

  test.each([
    ['<img src="/a.png" width="30" height="20" alt="">', ''],
    ['<img src="/a.png" width="30" height="20">', 'has no alt'],
    ['<img src="/a.png" alt="">', 'has no width and height'],
    ['<img src="/a.png" width="60" height="40" alt="">', '/a.png is 30×20, not 60×40'],
    ['<img src="/no.png" width="30" height="20" alt="">', '/no.png is no picture'],
    ['<img src="/words.png" width="30" height="20" alt="">', '/words.png is no picture'],
    ['<picture><source srcset="/a.png 60w"></picture>', '/a.png is 30 wide, not 60w'],
    ['<picture><source srcset="/a.png 30w" type="image/avif"></picture>', 'is png, not image/avif'],
    ['<svg viewBox="0 0 1 1"></svg>', 'neither hidden from screen readers nor has a name'],
  ])('%s', async (body, defect) => {
    const files = { '/a.png': await picture(30, 20), '/words.png': 'words' };
    const own = await siteOf({ ...files, '/a/index.html': bad({ body }) });
    const said = (
      await Promise.all([...own.pages.values()].map((page) => pictureDefects(own, page)))
    ).flat();
    if (defect === '') expect(said).toEqual([]);
    else expect(said.join('\n')).toMatch(new RegExp(`^/a/index.html:.*${defect}`));
  });

  test('a picture to share that is missing, or of another size', async () => {
    const html = { '/a/index.html': bad({}) };
    const said = async (files: Record<string, string | Buffer>) => {
      const own = await siteOf({ ...html, ...files });
      return (
        await Promise.all([...own.pages.values()].map((page) => cardDefects(own, page)))
      ).flat();
    };
    expect(await said({})).toEqual([expect.stringContaining('is not there')]);
    expect(await said({ '/og/a.png': await picture(30, 20) })).toEqual([
      expect.stringContaining('is no PNG of 1200×630'),
    ]);
    expect(await said({ '/og/a.png': await picture(1200, 630) })).toEqual([]);
  });

  test.each([
    [
      'a script with no hash',
      '<script>alert(1)</script>',
      'is a script that the policy does not name',
    ],
    [
      'a style with no hash',
      '<style>p{color:red}</style>',
      'is a style that the policy does not name',
    ],
    ['rules for early fetching', '<script type="speculationrules">{}</script>', 'is a script'],
    ['a style on an element', '<p style="color:red">A</p>', 'has the attribute style'],
    ['a style in a drawing', '<svg><path style="fill:red"/></svg>', 'has the attribute style'],
    ['a handler on an element', '<p onclick="go()">A</p>', 'has the attribute onclick'],
  ])('%s', async (_, body, defect) => {
    const said = policyDefects(await openPage('/a/index.html', bad({ body })));
    expect(said.join('\n')).toContain(defect);
  });

  test('a policy that is missing, or that lets anything run', async () => {
    const said = async (policy: string) =>
      policyDefects(await openPage('/a/index.html', bad({ policy })));
    expect(await said('')).toEqual(['/a/index.html: has no policy for scripts and styles']);
    expect(await said("script-src 'self' 'unsafe-inline'; style-src 'self'")).toEqual([
      "/a/index.html: allows 'unsafe-inline'",
    ]);
  });
});
