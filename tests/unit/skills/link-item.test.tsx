import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LinkItem } from '#features/skills/LinkItem.tsx';

test('In a list of all links, each still says what it’s about', () => {
  const page = renderToStaticMarkup(
    <LinkItem href="/coaching" text="Ask a coach" about=" about prices" note="· 5 minutes" />,
  );
  const name = /<a[^>]*>(.*?)<\/a>/.exec(page)?.[1]?.replace(/<[^>]*>/g, '');
  expect(name).toBe('Ask a coach about prices');
});
