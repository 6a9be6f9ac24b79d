import { expect, test } from 'vitest';
import { toolFileKinds } from '#lib/content/tool-file-kinds.ts';

test('A tool of content/ is offered as the files that its front matter names', async () => {
  expect(await toolFileKinds('goals-page')).toEqual(['spreadsheet', 'document']);
  expect(await toolFileKinds('competitor-grid')).toEqual(['document']);
});

test('A tool that an admin published has no files of ours', async () => {
  expect(await toolFileKinds('not-in-content')).toEqual([]);
  expect(await toolFileKinds('../pages/about')).toEqual([]);
});
