import { expect, test } from 'vitest';
import { routes } from '#lib/routing/routes.ts';

// Functions are deployed to Supabase without the route table, so they have a copy of its paths.
test('Views of every page are counted: `npm run test:unit -- page-view-pages -u` writes the list', async () => {
  const lines = routes.map(({ path }) => `  '${path}',`);
  const text = [
    '/** The pages of the site, from src/lib/routing/routes.ts; a test writes and compares this list. */',
    'export const pages: readonly string[] = [',
    ...lines,
    '];',
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot(
    '../../../src/backend/supabase/functions/page-view/pages.ts',
  );
});
