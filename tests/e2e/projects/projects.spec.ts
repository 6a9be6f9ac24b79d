import { checkAccessibility, checkWidth } from '../support/axe.ts';
import { CUT, expect, goOffline, test } from '../support/harness.ts';
import { addTask, createProject, openProject, takesArrows } from '../support/project-steps.ts';

test.use({ as: 'owner', expectedConsole: CUT });

test('An owner filters, sorts and searches projects, on the board too', async ({ page }) => {
  await page.goto('/dashboard/projects');
  const found = page.getByRole('region', { name: 'Results' });
  const rows = found.getByRole('row');
  await expect(rows).toHaveCount(6);
  await checkAccessibility(page);

  await page.getByLabel('Status').selectOption('All');
  await expect(page).toHaveURL(/status=all/);
  await expect(rows).toHaveCount(8);
  await found.getByRole('button', { name: 'Due' }).click();
  await expect(found.getByRole('columnheader', { name: 'Due' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(found.getByRole('link').first()).toHaveText('Backups of recipes and orders');
  await page.getByLabel('Search').fill('cash fore');
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(page.getByLabel('Search')).toHaveValue('cash fore');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Search').fill('giraffe');
  await expect(found.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all open projects' }).click();
  await expect(rows).toHaveCount(6);

  // Offline, the rows stay; once the connection is back, the list reloads by itself.
  await goOffline(page);
  await page.getByLabel('Skill').selectOption('People management');
  await expect(page.getByRole('alert').getByText('We couldn’t load the list')).toBeVisible();
  await expect(rows).toHaveCount(6);
  await page.context().setOffline(false);
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Skill').selectOption('Any');

  await page.getByRole('link', { name: 'Board' }).click();
  await expect(page).toHaveURL(/view=board/);
  await expect(page.getByRole('region', { name: 'Blocked 1 project' })).toContainText(
    'The shop lead is out',
  );
  await checkAccessibility(page);
  // On a desktop, every column is fully visible; narrower windows scroll.
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['Draft', 'Planned', 'In progress', 'Blocked', 'In review', 'Done']) {
      const column = page.getByRole('region', { name: new RegExp(`^${name} \\d`) });
      await expect(column, `${name} at ${width}`).toBeInViewport({ ratio: 1 });
    }
  }
  await checkWidth(page, 360);
  await expect(page.getByRole('heading', { name: 'Draft' })).toBeVisible();
  // On a phone, a button shows what's beside the search.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByLabel('Skill')).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Skill').selectOption('People management');
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible();
  await checkAccessibility(page);
});

test('An owner starts a project from what the quiz recommends', async ({ page }) => {
  await page.goto(
    '/dashboard/projects/new?area=people-management&action=people-management.written-roles',
  );
  const title = page.getByLabel('Title');
  await expect(page.getByText('From your quiz')).toBeVisible();
  await expect(title).toHaveValue('Written roles');
  await expect(page.getByLabel('Outcome')).toHaveValue(/We can say: “/);
  await expect(page.getByLabel('Steps')).toHaveValue(/^Write a role sheet/);
  await expect(page.getByLabel('Skill')).toHaveValue('people-management');
  await expect(page.getByLabel('Baseline')).toHaveValue(/People management scored \d+ out of 100/);
  await checkAccessibility(page);

  await title.fill(' ');
  await page.getByLabel('Due').fill('2020-01-01');
  const create = page.getByRole('button', { name: 'Create project' });
  await create.click();
  await expect(page.getByText('Give the project a title.')).toBeVisible();
  await title.fill('One page for the night baker');
  await create.click();
  await expect(page.getByText('The due date is before the start date.')).toBeVisible();
  await page.getByLabel('Due').fill('');
  await page.getByLabel('Outcome').fill('He decides about dough alone.');

  // Offline, the input stays, and is sent once the connection is back.
  await goOffline(page);
  await create.click();
  await expect(page.getByRole('alert').getByText('Not saved yet')).toBeVisible();
  await expect(page.getByLabel('Outcome')).toHaveValue('He decides about dough alone.');
  await page.context().setOffline(false);
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'One page for the night baker' })).toBeVisible();
  await expect(page.getByText('He decides about dough alone.')).toBeVisible();
});

test('Very long words break instead of widening a narrow window', async ({ page, site }) => {
  const word = 'Hauptbetriebswerkbauunterbeamte'.repeat(4);
  const { address } = await openProject(page, site, word);
  await addTask(page, word);
  for (const each of [
    address,
    '/dashboard',
    '/dashboard/projects',
    '/dashboard/projects?view=board',
  ]) {
    await page.goto(each);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await checkWidth(page, 320, each);
  }
});

test('A project takes its steps, is blocked, and is reopened', async ({ page, site, signIn }) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/projects');
  await expect(page.getByText('No projects yet')).toBeVisible();
  await checkAccessibility(page);
  await page.goto(await createProject(site, 'A winter service offer', 'owner2@demo.test'));
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const status = page.getByRole('region', { name: 'Status' }).getByRole('status');
  await expect(status).toHaveText('Status: Draft');
  await expect(page.getByRole('button', { name: 'Mark as done' })).toHaveCount(0);
  await press('Mark as planned');
  await press('Start');
  await expect(status).toHaveText('Status: In progress');
  // The clicked button is gone, so the focus moves to its section.
  await expect(page.getByRole('region', { name: 'Status' })).toBeFocused();

  await press('Mark as blocked');
  const dialog = page.getByRole('dialog', { name: 'What’s blocking it?' });
  await dialog.getByRole('button', { name: 'Mark as blocked' }).click();
  await expect(dialog.getByText('Add a few words')).toBeVisible();
  await dialog.getByLabel('What has to happen first').fill('The parts are late.');
  await page.route('**/rest/v1/rpc/move_project', (route) => route.abort('connectionfailed'));
  await dialog.getByRole('button', { name: 'Mark as blocked' }).click();
  await expect(page.getByText('The status wasn’t changed')).toBeVisible();
  await expect(status).toHaveText('Status: In progress');
  await page.unroute('**/rest/v1/rpc/move_project');
  await press('Try again');
  await expect(status).toHaveText('Status: Blocked');
  await expect(page.getByText('The parts are late.').first()).toBeVisible();
  await checkAccessibility(page);
  // The same in the dark theme, on the narrowest phone.
  await page.emulateMedia({ colorScheme: 'dark' });
  await checkWidth(page, 320);
  await checkAccessibility(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await press('Continue');
  await press('Send for review');
  await press('Mark as done');
  await expect(status).toHaveText('Status: Done');
  await press('Reopen');
  const why = page.getByRole('dialog', { name: 'Why reopen it?' });
  await why.getByLabel('What’s left to do?').fill('One customer came back.');
  await why.getByRole('button', { name: 'Reopen' }).click();
  await expect(status).toHaveText('Status: In progress');
  await page.reload();
  await expect(page.getByText('One customer came back.')).toBeVisible();
});

test('On the board a card moves by menu, keyboard and mouse', async ({ page, site }) => {
  await createProject(site, 'Board story');
  await page.goto('/dashboard/projects?view=board&q=board+story');
  const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name} \\d`) });
  const stored = () => page.waitForResponse('**/rest/v1/rpc/move_project');
  let answered = stored();
  await page.getByRole('button', { name: 'Move Board story' }).click();
  await page.getByRole('menuitem', { name: 'Mark as planned' }).click();
  await expect(column('Planned').getByRole('link', { name: 'Board story' })).toBeFocused();
  await expect(page.getByRole('status').getByText('Board story is now planned.')).toBeAttached();
  expect((await answered).ok()).toBe(true);

  const handle = page.getByRole('button', { name: 'Drag Board story' });
  await handle.hover();
  await expect(handle).toHaveAttribute('aria-roledescription', 'draggable');
  await handle.focus();
  answered = stored();
  await page.keyboard.press('Space');
  await expect(page.getByText('Board story is over Planned.')).toBeAttached();
  await takesArrows(page);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('Board story is over In progress.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(column('In progress').getByRole('link', { name: 'Board story' })).toBeVisible();
  expect((await answered).ok()).toBe(true);

  const from = await page.getByRole('button', { name: 'Drag Board story' }).boundingBox();
  const to = await page.getByRole('heading', { name: /^Blocked/ }).boundingBox();
  if (!from || !to) throw new Error('The board is not on the page.');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 20, { steps: 5 });
  await page.mouse.move(to.x + 8, to.y + 40, { steps: 10 });
  await page.mouse.up();
  answered = stored();
  const reason = page.getByLabel('What has to happen first');
  await expect(reason).toBeFocused();
  // For 50 ms after a drop, dnd-kit clears every selection, and what's typed without one is ignored.
  await expect(async () => {
    await reason.fill('Waiting for the oven.');
    expect(await reason.inputValue()).toBe('Waiting for the oven.');
  }).toPass();
  await page.getByRole('button', { name: 'Mark as blocked' }).click();
  expect((await answered).ok()).toBe(true);
  await expect(column('Blocked')).toContainText('Waiting for the oven.');
  await page.reload();
  await expect(column('Blocked').getByRole('link', { name: 'Board story' })).toBeVisible();
});

test('Icon buttons have tooltips for mouse and keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/dashboard/projects?view=board', { waitUntil: 'commit' });
  const bubble = page.locator('[data-tooltip-bubble]');
  const title = 'Find out why wedding orders stopped';
  const menu = page.getByRole('button', { name: `Move ${title}` });
  const handle = page.getByRole('button', { name: `Drag ${title}` });
  // The pointer is on the board before hydration.
  await handle.hover();
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await handle.hover({ position: { x: 6, y: 6 } });
  await expect(handle).toHaveAttribute('aria-roledescription', 'draggable');
  await menu.hover();
  await expect(bubble).toBeVisible();
  await expect(bubble).toHaveText('Move');
  await expect(bubble).toBeInViewport({ ratio: 1 });
  await checkAccessibility(page);
  // The pointer can move onto it; Escape closes it, and it doesn't reopen by itself.
  await bubble.hover();
  await expect(bubble).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bubble).toBeHidden();

  await page.getByRole('link', { name: title }).focus();
  await page.keyboard.press('Tab');
  await expect(menu).toBeFocused();
  await expect(bubble).toHaveText('Move');
  await expect(bubble).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(bubble).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(bubble).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(bubble).toBeHidden();
  // When the focus returns automatically, no tooltip opens that another Escape would have to close.
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await expect(bubble).toBeHidden();

  // In a dialog too, the first Escape closes the tooltip, and the next one the dialog.
  await page.getByRole('button', { name: 'Move Answer every wholesale inquiry' }).click();
  await page.getByRole('menuitem', { name: 'Reopen' }).click();
  const dialog = page.getByRole('dialog');
  const close = dialog.getByRole('button', { name: 'Close' });
  // Shift+Tab wraps from the first field to the last button.
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(close).toBeFocused();
  await expect(bubble).toHaveText('Close');
  await expect(bubble).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bubble).toBeHidden();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
