import type { Page } from '@playwright/test';
import { checkAccessibility, checkBothThemes, checkWidth } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: true });

/** Waits until the draft is saved with this in it. */
const savedWith = (page: Page, words: string) =>
  page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/rpc/save_tool_draft') &&
      answer.request().postData()?.includes(words) === true,
  );

test('An admin writes a tool, and everyone reads it, then its next version, then finds it gone', async ({
  page,
  site,
  elsewhere,
}) => {
  const run = test.info().repeatEachIndex;
  const title = `Price letter ${run}`;
  const slug = `price-letter-${run}`;
  await page.goto('/admin/toolbox');
  await checkBothThemes(page);
  await page.getByRole('button', { name: 'Write a tool' }).click();
  await page.waitForURL(/\/admin\/toolbox\/[0-9a-f-]{36}$/);
  const { pathname } = new URL(page.url());

  // What's missing is said beside the field.
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Write a title.')).toBeVisible();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Summary').fill('A letter that announces a new price.');
  await page.getByLabel('Skill', { exact: true }).selectOption({ label: 'Sales and marketing' });
  await page.getByLabel('Format').fill('Letter with words to use');
  await page.getByLabel('Minutes').fill('25');
  const saved = savedWith(page, 'Dear customer');
  await page
    .getByRole('textbox', { name: 'Text' })
    .fill(
      '## The letter\n\nDear customer, from **June** a loaf is $6.\n\n<script>alert(1)</script>',
    );
  await saved;
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'The letter' })).toBeVisible();
  await expect(preview.getByText('<script>alert(1)</script>')).toBeVisible();
  await checkBothThemes(page);
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue(title);

  const visitor = await elsewhere(null);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const first = page.getByRole('dialog', { name: 'Publish this tool?' });
  // What's behind a dialog is hidden a moment before it's there.
  await expect(first).toBeVisible();
  await checkAccessibility(page);
  await first.getByRole('button', { name: 'Publish it' }).click();
  await expect(first).toBeHidden();
  await expect(page.getByRole('region', { name: 'What people see' })).toContainText(
    'Dear customer',
  );
  await checkBothThemes(page);

  // It's public at once, in the list and at its own address.
  await visitor.goto(`${site.url}/toolbox`);
  await visitor.getByRole('link', { name: title }).click();
  await expect(visitor).toHaveURL(`${site.url}/toolbox/${slug}`);
  await expect(visitor.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'The letter' })).toBeVisible();
  await expect(visitor.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    new RegExp(`/toolbox/${slug}$`),
  );
  await checkBothThemes(visitor);

  // An owner fills in a copy, and hears of the next version there.
  const owner = await elsewhere('owner');
  await owner.goto(`${site.url}/dashboard/toolbox?item=${slug}`);
  await owner.getByRole('button', { name: /^Fill it in/ }).click();
  await owner.waitForURL(/copy=/);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const changed = savedWith(page, 'a loaf is $7');
  await page
    .getByRole('textbox', { name: 'Text' })
    .fill('## The letter\n\nFrom June a loaf is $7.');
  await changed;
  await visitor.reload();
  await expect(visitor.getByRole('main')).toContainText('a loaf is $6');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const second = page.getByRole('dialog', { name: 'Publish version 2?' });
  await second.getByLabel('What’s different').fill('A loaf is $7.');
  await second.getByRole('button', { name: 'Publish it' }).click();
  await expect(second).toBeHidden();
  await visitor.reload();
  await expect(visitor.getByRole('main')).toContainText('a loaf is $7');
  await owner.reload();
  await expect(owner.getByRole('main')).toContainText('There’s a newer version now, version 2');
  await expect(owner.getByRole('listitem').getByText('A loaf is $7.')).toBeVisible();
  await checkBothThemes(owner);

  // The first version is there to compare, and comes back as a draft.
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  const compared = page.getByRole('dialog', { name: 'Version 1, compared with version 2' });
  await expect(compared.getByText('Removed: Dear customer')).toBeVisible();
  await checkBothThemes(page);
  await compared.getByRole('button', { name: 'Restore it as a draft' }).click();
  await expect(compared).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue(/Dear customer/);
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();

  // Archived, it's gone for visitors; the owner's copy stays.
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  const archive = page.getByRole('dialog', { name: /^Archive/ });
  await archive.getByLabel('Reason').fill('Prices are in another tool now.');
  await archive.getByRole('button', { name: 'Archive it' }).click();
  await expect(archive).toBeHidden();
  expect((await visitor.goto(`${site.url}/toolbox/${slug}`))?.status()).toBe(404);
  await owner.reload();
  await expect(owner.getByRole('main')).toContainText('That tool is no longer offered');
  await owner.getByRole('link', { name: title }).click();
  await expect(owner.getByRole('main')).toContainText('Prices are in another tool now.');
  await page.goto(pathname);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
  expect((await visitor.goto(`${site.url}/toolbox/${slug}`))?.status()).toBe(200);
});

test('A tool that came with the site is served as built until an admin changes it', async ({
  page,
  site,
  elsewhere,
}) => {
  const visitor = await elsewhere(null);
  const [item] = await site.sql`
    select id, slug from public.toolbox_items
    where state = 'published' and is_as_built and reviewed_on < current_date - 1
    order by slug desc limit 1`;
  const built = await visitor.request.get(`${site.url}/toolbox/${item?.slug}`);
  expect(built.headers().etag).toBeTruthy();

  await page.goto(`/admin/toolbox/${item?.id}`);
  await page.getByRole('button', { name: 'Reviewed, nothing to change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reviewed today, nothing to change?' });
  await expect(dialog).toBeVisible();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Record the review' }).click();
  await expect(dialog).toBeHidden();
  const [reviewed] = await site.sql`
    select reviewed_on::text as day, to_char(reviewed_on, 'FMMonth FMDD, YYYY') as words
    from public.toolbox_items where id = ${item?.id}`;
  // The browser has the built page, and asks again.
  await visitor.goto(`${site.url}/toolbox/${item?.slug}`);
  await expect(visitor.locator(`time[datetime="${reviewed?.day}"]`)).toHaveText(
    String(reviewed?.words),
  );
  await checkBothThemes(visitor);
  const stale = await visitor.request.get(`${site.url}/toolbox/${item?.slug}/_payload.json`);
  expect(stale.status()).toBe(404);
});

test('On a phone, words in a tool’s tables stay whole for an admin, as for its readers', async ({
  page,
  site,
}) => {
  const [item] = await site.sql`select id from public.toolbox_items where slug = 'cash-forecast'`;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/admin/toolbox/${item?.id}`);
  const cells = page.getByRole('region', { name: 'What people see' }).locator('th, td');
  // A wide table’s headings aren’t shown on a phone.
  await expect(cells.last()).toBeVisible();
  const broken = await cells.evaluateAll((all) =>
    all.flatMap((cell) => {
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const words: string[] = [];
      while (text.nextNode()) {
        for (const { index, 0: word } of (text.currentNode.nodeValue ?? '').matchAll(/\w+/g)) {
          const range = document.createRange();
          range.setStart(text.currentNode, index);
          range.setEnd(text.currentNode, index + word.length);
          // One hyphen is fine.
          if (range.getClientRects().length > 2) words.push(word);
        }
      }
      return words;
    }),
  );
  expect(broken).toEqual([]);
  await checkWidth(page, 360);
});
