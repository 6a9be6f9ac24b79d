import { setTimeout } from 'node:timers/promises';
import type { AstroPrerenderer } from 'astro';
import { expect, test } from 'vitest';
import { createFitter, fitting } from '#integrations/page-styles.ts';

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

test('What is no page is written as it is', async () => {
  const drawn = drawing(async () => Response.json({ words: page('flex') }));
  const [json] = await written(drawn, ['/_payload.json']);
  expect(json).toMatchObject({ value: { text: JSON.stringify({ words: page('flex') }) } });
});
