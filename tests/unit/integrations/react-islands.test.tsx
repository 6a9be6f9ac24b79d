import { registerHooks } from 'node:module';
import { type ReactNode, useId } from 'react';
import { expect, test } from 'vitest';

// The options of the integration, which Astro writes when it builds the site.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'astro:react:opts'
      ? { url: 'data:text/javascript,export default {}', shortCircuit: true }
      : next(specifier, context),
});

const { default: library } = await import('@astrojs/react/server.js');
const { default: ours } = await import('../../../src/integrations/react-server.ts');

interface FrameProps {
  title: string;
  storyLine?: ReactNode;
  children?: ReactNode;
}

function Frame({ title, storyLine, children }: FrameProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}’s</h2>
      {storyLine}
      {children}
    </section>
  );
}

const HYDRATED = { displayName: 'Frame', hydrate: 'load', astroStaticSlot: true } as const;
const STATIC = { displayName: 'Frame', astroStaticSlot: true } as const;

async function rendered(renderer: typeof ours, slots: Record<string, string>, metadata: object) {
  const page = { result: {} };
  const { html, attrs } = await renderer.renderToStaticMarkup.call(
    page as never,
    Frame,
    { title: 'Rosa' },
    slots,
    metadata as never,
  );
  // Each has its own prefix for ids, which the island's part in the browser is told.
  return html.replaceAll(attrs?.prefix ?? '', 'prefix');
}

test.each<[string, Record<string, string>]>([
  ['nothing', {}],
  ['children', { default: '<p>Inside</p>' }],
  ['a named slot', { 'story-line': '<p>It’s &amp; was</p>' }],
  ['both, one of them blank', { default: '  ', story_line: '<b>Bold</b>' }],
])('an island with %s is rendered as @astrojs/react does', async (_, slots) => {
  for (const metadata of [HYDRATED, STATIC]) {
    expect(await rendered(ours, slots, metadata)).toBe(
      await rendered(library as typeof ours, slots, metadata),
    );
  }
});

test('islands of one page have different ids', async () => {
  const page = { result: {} };
  const prefixes = new Set<string | undefined>();
  const islands: Record<string, string>[] = [{}, { default: '<p>Inside</p>' }, {}];
  for (const slots of islands) {
    const { attrs } = await ours.renderToStaticMarkup.call(
      page as never,
      Frame,
      { title: 'R' },
      slots,
    );
    prefixes.add(attrs?.prefix);
  }
  expect(prefixes.size).toBe(3);
});
