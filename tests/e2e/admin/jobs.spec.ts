import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: true, expectedConsole: CUT });

test('An admin reads why jobs failed, and runs them again', async ({ page, site }) => {
  await site.sql`
    insert into private.jobs (kind, payload, state, attempts, last_error, finished_at)
    select 'remove_file', jsonb_build_object('bucket', 'avatars', 'path', 'gone-' || n || '.webp'),
      'failed', 5, 'The storage didn’t answer', now()
    from generate_series(1, 2) n`;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Other failed jobs' }).click();
  const table = page.getByRole('table', { name: 'Jobs' });
  const failed = table.getByRole('row', { name: /gone-/ });
  await expect(failed).toHaveCount(2);
  await expect(failed.first()).toContainText('The storage didn’t answer');
  await expect(page.getByText('2 jobs failed.')).toBeVisible();
  await checkAccessibility(page);

  await failed.first().getByRole('checkbox').check();
  await failed.last().getByRole('checkbox').check();
  // If the request fails, they stay failed and it says so.
  await page.route('**/rpc/replay_jobs', (route) => route.abort());
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByText('We couldn’t run them again', { exact: true })).toBeVisible();
  await page.unroute('**/rpc/replay_jobs');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('2 jobs will run again.', { exact: true })).toBeVisible();
  await expect(failed).toHaveCount(0);
  await expect(page.getByText('Nothing failed.')).toBeVisible();

  await page.goto('/admin/audit?action=job.replay');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /Ran failed jobs again/ })).toHaveCount(2);
});
