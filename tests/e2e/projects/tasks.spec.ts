import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, test } from '../support/harness.ts';
import {
  addTask,
  moved,
  openProject,
  order,
  takesArrows,
  tasks,
} from '../support/project-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('Tasks are added, checked, blocked, moved and removed', async ({ page, site }) => {
  await openProject(page, site, 'Tidy the store room');
  for (const title of ['Shelves', 'Flour', 'Labels']) await addTask(page, title);
  await expect(page.getByText('0 of 3 done')).toBeVisible();
  await tasks(page).first().check();
  await expect(page.getByText('1 of 3 done')).toBeVisible();

  // With the mouse.
  const handle = (title: string) => page.getByRole('button', { name: `Drag ${title}` });
  await handle('Labels').hover();
  await expect(handle('Labels')).toHaveAttribute('aria-roledescription', 'sortable');
  const from = await handle('Labels').boundingBox();
  const to = await handle('Shelves').boundingBox();
  if (!from || !to) throw new Error('The handles are not on the page.');
  let stored = moved(page);
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y - 20, { steps: 5 });
  await page.mouse.move(to.x + 10, to.y + 2, { steps: 8 });
  await page.mouse.up();
  expect((await stored).ok()).toBe(true);
  expect(await order(page)).toEqual(['Labels', 'Shelves', 'Flour']);

  // With the keyboard, announced to screen readers.
  await handle('Labels').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Picked up Labels at position 1 of 3.')).toBeAttached();
  await takesArrows(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Labels is at position 2 of 3.')).toBeAttached();
  stored = moved(page);
  await page.keyboard.press('Space');
  expect((await stored).ok()).toBe(true);
  expect(await order(page)).toEqual(['Shelves', 'Labels', 'Flour']);

  // With the menu, and reverted while the connection is down.
  const menu = async (title: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${title}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await page.route('**/rest/v1/rpc/move_project_task', (route) => route.abort('connectionfailed'));
  await menu('Flour', 'Move up');
  await expect(page.getByText('“Flour” wasn’t moved', { exact: true })).toBeVisible();
  expect(await order(page)).toEqual(['Shelves', 'Labels', 'Flour']);
  await page.unroute('**/rest/v1/rpc/move_project_task');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => order(page)).toEqual(['Shelves', 'Flour', 'Labels']);

  await menu('Flour', 'Blocked…');
  await page.getByLabel('What has to happen first').fill('The mill is closed.');
  await page.getByRole('button', { name: 'Mark as blocked' }).last().click();
  await expect(page.getByText('Blocked: The mill is closed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'More actions for Flour' })).toBeFocused();
  const answered = () => page.waitForResponse('**/rest/v1/rpc/remove_project_task');
  const removed = answered();
  await menu('Labels', 'Remove');
  await expect(tasks(page)).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeFocused();
  expect((await removed).ok()).toBe(true);
  const restored = answered();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tasks(page)).toHaveCount(3);
  expect((await restored).ok()).toBe(true);
  await checkAccessibility(page);
  await page.reload();
  expect(await order(page)).toEqual(['Shelves', 'Flour', 'Labels']);
  await expect(tasks(page).first()).toBeChecked();
});

test('A task’s menu that was closed stays closed once tasks can be dragged', async ({
  page,
  site,
}) => {
  await openProject(page, site, 'Count the stock');
  await addTask(page, 'Flour');
  const held = Promise.withResolvers<void>();
  await page.route('**/_astro/DragList.*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  const menu = page.getByRole('button', { name: 'More actions for Flour' });
  const first = page.getByRole('menuitem', { name: 'Edit' });
  await menu.click();
  await expect(first).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  held.resolve();
  const handle = page.getByRole('button', { name: 'Drag Flour' });
  await expect(handle).toHaveAttribute('aria-roledescription', 'sortable');
  await expect(menu).toBeFocused();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(first).toBeFocused();
});

test('Tasks and updates written offline survive a reload', async ({ page, site }) => {
  const { address } = await openProject(page, site, 'A stall at the fair');
  await page.route(/add_project_(task|update)$/, (route) => route.abort('connectionfailed'));
  const waiting = page.getByRole('list', { name: 'Tasks being saved' }).getByRole('listitem');
  for (const title of ['Book the stall', 'Borrow a tent']) {
    await page.getByLabel('New task').fill(title);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('New task')).toHaveValue('');
    await expect(waiting.filter({ hasText: title })).toContainText('It’s kept in this browser');
  }
  await expect(page.getByLabel('New task')).toBeFocused();
  await page.getByLabel('New update').fill('Called six, reached four.');
  await page.getByRole('button', { name: 'Add update' }).click();
  const waits = page.getByRole('listitem').filter({ hasText: 'Called six, reached four.' });
  await expect(waits).toContainText('It’s kept in this browser');
  await expect(page.getByLabel('New update')).toHaveValue('');
  await page.reload();
  await expect(waiting).toHaveCount(2);
  await expect(waits).toContainText('It’s kept in this browser');
  // The page that was left can't send anything, so the next one does.
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.goto(address);
  await expect(page.getByRole('listitem').filter({ hasText: /^You.*Called six/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Updates' }).getByRole('status')).toHaveText(
    'Added.',
  );
  await expect(waiting).toHaveCount(0);
  await page.reload();
  expect(await order(page)).toEqual(['Book the stall', 'Borrow a tent']);
  await expect(page.getByText('0 of 2 done')).toBeVisible();
  await expect(page.getByText('Called six, reached four.')).toHaveCount(1);
});

test('Two people who edit a project see both versions', async ({ page, site, elsewhere }) => {
  const { address, email } = await openProject(page, site, 'A better Saturday');
  const other = await elsewhere(email);
  await other.goto(address);
  for (const each of [page, other]) {
    // Once the form is loaded, it's focused without a timer, which could steal the focus from a field the user is already in.
    const button = each.getByRole('button', { name: 'Edit' });
    await expect(button).toBeEnabled();
    await awake(each);
    await each.waitForLoadState('networkidle');
    const focused = await button.evaluate(async (edit: HTMLElement) => {
      edit.click();
      await Promise.resolve();
      return document.activeElement?.getAttribute('name');
    });
    expect(focused).toBe('title');
  }

  // Edits to different fields are both kept.
  await page.getByLabel('Outcome').fill('Forty more sales.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused();
  await other.getByLabel('Baseline').fill('One hundred and ten.');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByText('Forty more sales.')).toBeVisible();
  await expect(other.getByText('One hundred and ten.')).toBeVisible();

  // For edits to the same field, the second person sees both versions and decides.
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Outcome').fill('Fifty more sales.');
  await other.getByRole('button', { name: 'Edit' }).click();
  await other.getByLabel('Outcome').fill('Thirty, and a shorter line.');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByRole('button', { name: 'Edit' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'saved this while you were editing' });
  await expect(conflict).toContainText('Thirty, and a shorter line.');
  await expect(page.getByLabel('Outcome')).toHaveValue('Fifty more sales.');
  await checkAccessibility(page);
  await page.getByRole('button', { name: /^Use theirs/ }).click();
  await expect(page.getByLabel('Outcome')).toHaveValue('Thirty, and a shorter line.');
  await page.getByLabel('Outcome').fill('Fifty, and a shorter line.');
  await page.getByRole('button', { name: 'Save mine' }).click();
  await expect(page.getByText('Fifty, and a shorter line.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Fifty, and a shorter line.')).toBeVisible();
  await expect(page.getByText('One hundred and ten.')).toBeVisible();
});
