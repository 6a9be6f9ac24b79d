import { expect, loseSession, test } from './support/harness.ts';
import { addTask, moved, newProject, order, silentAxe, tasks } from './support/project-steps.ts';

// Refusals and a connection that a story cuts are written into the console by the browser itself.
test.use({
  expectedConsole:
    /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_(CONNECTION_FAILED|INTERNET_DISCONNECTED|FAILED))/,
});

test('Tasks are added, ticked, blocked, ordered by mouse and keyboard, and removed with an undo', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await newProject(page, 'Tidy the store room');
  for (const title of ['Shelves', 'Flour', 'Labels']) await addTask(page, title);
  await expect(page.getByText('0 of 3 done')).toBeVisible();
  await tasks(page).first().check();
  await expect(page.getByText('1 of 3 done')).toBeVisible();

  // By mouse.
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

  // By keyboard, said aloud.
  await handle('Labels').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Labels is picked up at place 1 of 3.')).toBeAttached();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Labels is at place 2 of 3.')).toBeAttached();
  stored = moved(page);
  await page.keyboard.press('Space');
  expect((await stored).ok()).toBe(true);
  expect(await order(page)).toEqual(['Shelves', 'Labels', 'Flour']);

  // By the menu, and not at all while the connection is gone.
  const menu = async (title: string, item: string) => {
    await page.getByRole('button', { name: `More about ${title}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await page.route('**/rest/v1/rpc/move_project_task', (route) => route.abort('connectionfailed'));
  await menu('Flour', 'Move up');
  await expect(page.getByText('“Flour” stays at its place', { exact: true })).toBeVisible();
  expect(await order(page)).toEqual(['Shelves', 'Labels', 'Flour']);
  await page.unroute('**/rest/v1/rpc/move_project_task');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => order(page)).toEqual(['Shelves', 'Flour', 'Labels']);

  await menu('Flour', 'Blocked …');
  await page.getByLabel('What has to happen first').fill('The mill is closed.');
  await page.getByRole('button', { name: 'Mark as blocked' }).last().click();
  await expect(page.getByText('Blocked: The mill is closed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'More about Flour' })).toBeFocused();
  await menu('Labels', 'Remove');
  await expect(tasks(page)).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeFocused();
  const restored = page.waitForResponse('**/rest/v1/rpc/remove_project_task');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tasks(page)).toHaveCount(3);
  expect((await restored).ok()).toBe(true);
  await silentAxe(page);
  await page.reload();
  expect(await order(page)).toEqual(['Shelves', 'Flour', 'Labels']);
  await expect(tasks(page).first()).toBeChecked();
});

test('An update that is written offline is kept, even over a reload, and goes out by itself', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  const address = await newProject(page, 'Call every customer');
  await page.getByLabel('New update').fill('Called six, reached four.');
  await page.route('**/rest/v1/rpc/add_project_update', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'Add update' }).click();
  const waits = page.getByRole('listitem').filter({ hasText: 'It’s kept in this browser' });
  await expect(waits).toContainText('Called six, reached four.');
  await expect(page.getByLabel('New update')).toHaveValue('');
  await page.reload();
  await expect(waits).toContainText('Called six, reached four.');
  // The page that is left sends nothing more: the next one does.
  await page.goto('about:blank');
  await page.unroute('**/rest/v1/rpc/add_project_update');
  await page.goto(address);
  await expect(page.getByRole('listitem').filter({ hasText: /^You · .*Called six/ })).toBeVisible();
  await expect(waits).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Updates' }).getByRole('status')).toHaveText(
    'Added.',
  );
  await page.reload();
  await expect(page.getByText('Called six, reached four.')).toHaveCount(1);
});

test('A task that is added offline is kept, even over a reload, and goes out by itself', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  const address = await newProject(page, 'A stall at the fair');
  await expect(page.getByRole('button', { name: 'Add task' })).toBeEnabled();
  await page.route('**/rest/v1/rpc/add_project_task', (route) => route.abort('connectionfailed'));
  const waiting = page.getByRole('list', { name: 'Tasks on their way' }).getByRole('listitem');
  for (const title of ['Book the stall', 'Borrow a tent']) {
    await page.getByLabel('New task').fill(title);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('New task')).toHaveValue('');
    await expect(waiting.filter({ hasText: title })).toContainText('It’s kept in this browser');
  }
  await expect(page.getByLabel('New task')).toBeFocused();
  await page.reload();
  await expect(waiting).toHaveCount(2);
  // The page that is left sends nothing more: the next one does.
  await page.goto('about:blank');
  await page.unroute('**/rest/v1/rpc/add_project_task');
  await page.goto(address);
  await expect(page.getByRole('checkbox', { name: 'Borrow a tent' })).toBeVisible();
  await expect(waiting).toHaveCount(0);
  expect(await order(page)).toEqual(['Book the stall', 'Borrow a tent']);
  await page.reload();
  expect(await order(page)).toEqual(['Book the stall', 'Borrow a tent']);
  await expect(page.getByText('0 of 2 done')).toBeVisible();
});

test('A task whose request is never answered says so, holds up no other tab, and is there once', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(page, 'owner');
  const address = await newProject(page, 'A booth at the market');
  await page.clock.install();
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Add task' })).toBeEnabled();
  const waiting = (each: typeof page) =>
    each.getByRole('list', { name: 'Tasks on their way' }).getByRole('listitem');
  // The request arrives, and its answer doesn't.
  const stored = Promise.withResolvers<void>();
  await page.route('**/rest/v1/rpc/add_project_task', async (route) => {
    await route.fetch();
    stored.resolve();
  });
  await page.getByLabel('New task').fill('Book the booth');
  await page.keyboard.press('Enter');
  await stored.promise;
  await expect(waiting(page).first()).toContainText('Sending');
  // Opened only now: either tab may send what waits, and it must be the first one that does.
  const second = await context.newPage();
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  await second.route('**/rest/v1/rpc/add_project_task', async (route) => {
    await free;
    await route.continue();
  });
  await second.goto(address);
  await expect(second.getByRole('button', { name: 'Add task' })).toBeEnabled();
  await second.getByLabel('New task').fill('Borrow a tent');
  await second.keyboard.press('Enter');
  await page.clock.fastForward(15_000);
  await expect(waiting(page).first()).toContainText('Not sent yet');
  release();
  for (const each of [page, second]) await expect(waiting(each)).toHaveCount(0);
  await second.reload();
  expect(await order(second)).toEqual(['Book the booth', 'Borrow a tent']);
  await expect(second.getByText('0 of 2 done')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('Two who edit at once are shown what the other one saved, and neither is overwritten', async ({
  page,
  signIn,
  elsewhere,
}) => {
  await signIn(page, 'owner');
  const address = await newProject(page, 'A better Saturday');
  const other = await elsewhere('owner');
  await other.goto(address);
  for (const each of [page, other]) {
    // By a timer, the focus would be taken from somebody who has already gone to another field.
    const button = each.getByRole('button', { name: 'Edit' });
    await expect(button).toBeEnabled();
    const focused = await button.evaluate(async (edit: HTMLElement) => {
      edit.click();
      await Promise.resolve();
      return document.activeElement?.getAttribute('name');
    });
    expect(focused).toBe('title');
  }

  // Different fields: both stay.
  await page.getByLabel('Outcome').fill('Forty more sales.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused();
  await other.getByLabel('Baseline').fill('One hundred and ten.');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByText('Forty more sales.')).toBeVisible();
  await expect(other.getByText('One hundred and ten.')).toBeVisible();

  // The same field: the second one sees both, and decides.
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
  await silentAxe(page);
  await page.getByRole('button', { name: /^Use theirs/ }).click();
  await expect(page.getByLabel('Outcome')).toHaveValue('Thirty, and a shorter line.');
  await page.getByLabel('Outcome').fill('Fifty, and a shorter line.');
  await page.getByRole('button', { name: 'Save mine' }).click();
  await expect(page.getByText('Fifty, and a shorter line.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Fifty, and a shorter line.')).toBeVisible();
  await expect(page.getByText('One hundred and ten.')).toBeVisible();
});

test('A session that ends while a task is typed loses nothing: signing in again sends it', async ({
  page,
  signIn,
  elsewhere,
}) => {
  await signIn(page, 'owner');
  await newProject(page, 'Winter menu');
  await expect(page.getByRole('button', { name: 'Add task' })).toBeEnabled();
  await loseSession(page);
  await page.getByLabel('New task').fill('Taste the pies');
  await page.getByRole('button', { name: 'Add task' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(again).toBeVisible();
  await again.getByLabel('Password', { exact: true }).fill('demo-Passw0rd!');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('checkbox', { name: 'Taste the pies' })).toBeVisible();
  const stranger = await elsewhere('owner2');
  expect((await stranger.goto(page.url()))?.status()).toBe(404);
  await expect(stranger.getByText('Winter menu')).toHaveCount(0);
});
