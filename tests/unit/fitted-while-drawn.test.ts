import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { AstroPrerenderer } from 'astro';
import { describe, expect, test } from 'vitest';
import { createFitter, fitting, lighter, standIns } from '#integrations/page-styles.ts';

const html = { 'content-type': 'text/html; charset=utf-8' };
const page = (name: string) =>
  `<style>@layer utilities{.${name}{top:0}}</style><p class="${name}">x</p>`;

/** Draws what the function gives for a path. */
const drawing = (draw: (path: string) => Promise<Response>): AstroPrerenderer => ({
  name: 'drawing',
  getStaticPaths: async () => [],
  render: (request) => draw(new URL(request.url).pathname),
});

/** The pages as they are written, asked for all at once in this order. */
async function written(drawn: AstroPrerenderer, paths: string[]) {
  const { render } = fitting(
    drawn,
    createFitter(async () => ''),
  );
  const options = {} as Parameters<AstroPrerenderer['render']>[1];
  return Promise.allSettled(
    paths.map(async (path) => {
      const result = await render(new Request(`http://site.test${path}`), options);
      const response = result instanceof Response ? result : result.response;
      return { status: response.status, text: await response.text() };
    }),
  );
}

test('Short names go by the order in which pages are asked for, not by how long each takes', async () => {
  const drawn = drawing(async (path) => {
    await setTimeout(path === '/slow' ? 30 : 0);
    return new Response(page(path.slice(1)), { headers: html });
  });
  const [slow, quick] = await written(drawn, ['/slow', '/quick']);
  expect(slow).toMatchObject({ value: { text: expect.stringContaining('<p class="A">') } });
  expect(quick).toMatchObject({ value: { text: expect.stringContaining('<p class="B">') } });
});

test('A page that cannot be drawn says so, and those after it are drawn', async () => {
  const drawn = drawing(async (path) => {
    if (path === '/broken') throw new Error('It cannot be drawn.');
    return new Response(page('flex'), { headers: html, status: 404 });
  });
  const [broken, next] = await written(drawn, ['/broken', '/next']);
  expect(broken).toMatchObject({ reason: new Error('It cannot be drawn.') });
  expect(next).toMatchObject({
    value: { status: 404, text: expect.stringContaining('class="A"') },
  });
});

test('Lines end between blocks only where a reader would see it', async () => {
  const body = '<ul>\n<li>One <b>two</b>\n<i>three</i></li>\n</ul>\n<p class="a">x</p>\n<p>y</p>\n';
  const drawn = drawing(async () => new Response(`${page('b')}${body}`, { headers: html }));
  const [made] = await written(drawn, ['/']);
  const text = '<ul><li>One <b>two</b>\n<i>three</i></li></ul><p class="a">x</p><p>y</p>\n';
  expect(made).toMatchObject({ value: { text: expect.stringContaining(text) } });
});

test('What is no page is written as it is', async () => {
  const drawn = drawing(async () => Response.json({ words: page('flex') }));
  const [json] = await written(drawn, ['/_payload.json']);
  expect(json).toMatchObject({ value: { text: JSON.stringify({ words: page('flex') }) } });
});

describe('While pages are drawn, something short stands for each sheet', () => {
  const SHEET = '@layer utilities{.flex{display:flex}.grid{display:grid}}';
  const pageOf = (prerender: boolean) => ({
    route: { prerender },
    styles: [{ depth: 0, order: 0, sheet: { type: 'inline', content: SHEET } }],
  });
  const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

  /** Draws a page with the styles that are known for it, then as it is written. */
  async function drawnWith(body: string) {
    const known = pageOf(true);
    const asked = pageOf(false);
    const sheets = standIns();
    let drawn = '';
    const drawer = drawing(async () => {
      const css = known.styles[0]?.sheet.content ?? '';
      drawn = `<meta http-equiv="content-security-policy" content="style-src 'self' ${sha(css)};"><style>${css}</style>${body}`;
      return new Response(drawn, { headers: html });
    });
    const light = lighter(drawer, [known, asked] as never, sheets);
    await light.setup?.();
    const fitter = createFitter(async () => '', sheets);
    const result = await fitting(light, fitter).render(
      new Request('http://site.test/'),
      {} as never,
    );
    const text = await (result instanceof Response ? result : result.response).text();
    const during = [known, asked].map(({ styles }) => styles[0]?.sheet.content);
    await light.teardown?.();
    const after = [known, asked].map(({ styles }) => styles[0]?.sheet.content);
    return { drawn, text, during, after };
  }

  test('A page is drawn without them and written with its share', async () => {
    const { drawn, text, during, after } = await drawnWith('<p class="flex">x</p>');
    expect(drawn).not.toContain('display');
    expect(text).toContain('display:flex');
    expect(text).not.toContain('display:grid');
    // Pages that are asked for keep theirs, and so does who comes after.
    expect(during).toEqual(['/*sheet 0*/', SHEET]);
    expect(after).toEqual([SHEET, SHEET]);
  });

  test('A page with islands has all of them back, and its policy allows them', async () => {
    const { text } = await drawnWith('<astro-island></astro-island>');
    expect(text).toContain(`<style>${SHEET}</style>`);
    expect(text).toContain(`style-src 'self' ${sha(SHEET)};`);
  });
});
