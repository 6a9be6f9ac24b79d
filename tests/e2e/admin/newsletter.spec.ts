import { checkAccessibility, checkBothThemes } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: true });

test('An admin writes an issue, tests it and sends it; subscribers read it, and leave with one click', async ({
  page,
  site,
  elsewhere,
}) => {
  const run = test.info().repeatEachIndex;
  const [nora = '', omar = '', pia = ''] = ['nora', 'omar', 'pia'].map(
    (name) => `${name}${run}@example.test`,
  );
  const subject = `Bread and butter ${run}`;
  await site.sql`delete from public.contacts where newsletter = 'subscribed'`;
  await site.sql`
    insert into public.contacts (email, newsletter, consent_wording, consented_at)
    values
      (${nora}, 'subscribed', 'Yes', now()),
      (${omar}, 'subscribed', 'Yes', now()),
      (${pia}, 'pending', null, null)`;
  await page.goto('/admin/newsletter');
  await expect(page.getByRole('row', { name: /The bread you throw away/ })).toContainText('3 of 4');
  await checkBothThemes(page);
  await page.getByRole('button', { name: 'Write an issue' }).click();
  await page.waitForURL(/\/admin\/newsletter\/[0-9a-f-]{36}$/);

  // What's typed is saved, and the preview follows.
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel('Preview line').fill('What two weeks of counting showed');
  const saved = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/rpc/save_newsletter_issue') &&
      answer.request().postData()?.includes('counted') === true,
  );
  await page
    .getByRole('textbox', { name: 'Text' })
    .fill('## A bakery\n\nIt **counted** its [bread](/toolbox).\n\n<script>alert(1)</script>');
  await saved;
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'A bakery' })).toBeVisible();
  await expect(preview.getByText('<script>alert(1)</script>')).toBeVisible();
  await expect(preview.getByRole('link', { name: 'bread' })).toHaveAttribute(
    'href',
    `${site.url}/toolbox`,
  );
  await checkBothThemes(page);
  const card = preview.locator('.card');
  const background = () => card.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await background()).toBe('rgb(255, 254, 251)');
  await preview.getByText('Dark', { exact: true }).click();
  await expect.poll(background).toBe('rgb(20, 31, 25)');
  await preview.getByText('Plain text').click();
  await expect(preview.getByText(`bread (${site.url}/toolbox)`)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Subject')).toHaveValue(subject);

  await page.getByRole('button', { name: 'Send me a test' }).click();
  const trial = await site.mail('admin@demo.test', new RegExp(`^Test: ${subject}$`));
  expect(trial.text).toContain('A bakery');

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to 2 people?' });
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Send it' }).click();
  const progress = page.getByRole('region', { name: 'Sending' });
  await expect(progress).toContainText('2 of 2 sent');
  await expect(page.getByRole('main')).toContainText('Sent');
  await checkBothThemes(page);

  // It's in the mailboxes of those who confirmed, with a link that unsubscribes.
  const mail = await site.mail(nora, new RegExp(`^${subject}$`));
  expect(mail.html).toContain('<strong>counted</strong>');
  expect(await site.mails(omar)).toHaveLength(1);
  expect(await site.mails(pia)).toHaveLength(0);
  const secret = /#leave=([0-9a-f]{64})/.exec(mail.text)?.[1];
  const oneClick = await page.request.post(`${site.url}/functions/v1/newsletter?leave=${secret}`, {
    form: { 'List-Unsubscribe': 'One-Click' },
  });
  expect(oneClick.status()).toBe(200);
  const other = await site.mail(omar, new RegExp(`^${subject}$`));
  const visitor = await elsewhere(null);
  await visitor.goto(/http\S+#leave=\S+/.exec(other.text)?.[0] ?? '');
  await visitor.getByRole('button', { name: 'Yes, unsubscribe me' }).click();
  await expect(visitor.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible();
  const left = await site.sql`
    select email from public.contacts
    where newsletter = 'left' and email in (${nora}, ${omar}) order by email`;
  expect(left.map(({ email }) => email)).toEqual([nora, omar]);

  // Everyone reads it on the site.
  await visitor.goto(`${site.url}/newsletter`);
  await visitor.getByRole('link', { name: subject }).click();
  await expect(visitor.getByRole('heading', { name: subject, level: 1 })).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'A bakery' })).toBeVisible();
  await checkBothThemes(visitor);
  await visitor.goto(`${site.url}/newsletter/issues`);
  await expect(visitor.getByRole('link', { name: subject })).toBeVisible();
  await checkBothThemes(visitor);
});

test('An admin schedules an issue, and takes it back; nobody gets it', async ({ page, site }) => {
  const id = crypto.randomUUID();
  await site.sql`
    insert into public.newsletter_issues (id, subject, body) values (${id}, 'Later', 'Words.')`;
  await page.goto(`/admin/newsletter/${id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /Send to/ });
  await dialog.getByText('Later', { exact: true }).click();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Schedule it' }).click();
  const progress = page.getByRole('region', { name: 'Sending' });
  await expect(progress).toContainText('Goes out on');
  await progress.getByRole('button', { name: 'Unschedule' }).click();
  await expect(page.getByLabel('Subject')).toHaveValue('Later');
  const [issue] = await site.sql`
    select state, send_at from public.newsletter_issues where id = ${id}`;
  expect(issue).toEqual({ state: 'draft', send_at: null });
});
