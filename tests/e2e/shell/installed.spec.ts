import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, goOffline, test } from '../support/harness.ts';

test.use({ as: 'owner', changesDemo: false, expectedConsole: CUT });

test('Chromium finds nothing that’s missing for installing the site', async ({ page, context }) => {
  await page.goto('/dashboard');
  const devtools = await context.newCDPSession(page);
  const { url, errors, data } = await devtools.send('Page.getAppManifest');
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
  expect(JSON.parse(data ?? '')).toMatchObject({ start_url: '/dashboard', display: 'standalone' });
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // Tests run in a private window, which installs nothing.
  const others = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
  expect(others).toEqual([]);
});

test('Someone installs the app from the account menu, where the browser offers it', async ({
  page,
}) => {
  const install = page.getByRole('button', { name: 'Install as an app' });
  await page.goto('/dashboard');
  await awake(page);
  await expect(install).toHaveCount(0);
  // As a browser does, before the page's scripts are there.
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const prompt = async () => {
        document.title = `Asked. ${document.title}`;
      };
      dispatchEvent(
        Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }),
      );
    });
  });
  await page.reload();
  await expect(install).toBeVisible();
  await checkAccessibility(page);
  await install.click();
  await expect(page).toHaveTitle(/^Asked\. /);
  await expect(install).toHaveCount(0);
});

test('The installed app opens without a connection, and says what’s missing', async ({
  page,
  context,
}) => {
  await page.goto('/dashboard');
  await goOffline(page);
  for (const address of ['/dashboard', '/dashboard/projects', '/dashboard/messages']) {
    // A new page isn't offline from its first moment on, and the one before may see that and reload.
    await expect(async () => {
      await page.goto(address);
      await expect(page).toHaveURL(address, { timeout: 1_000 });
    }).toPass();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'We can’t reach the site right now',
    );
    await expect(page.getByText('Nothing is waiting to be sent')).toBeVisible();
  }
  await context.setOffline(false);
  // It opens on its own.
  await expect(page).toHaveTitle(/Messages/);
});
