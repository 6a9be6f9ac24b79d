import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { addFiles, NO_PICTURE, PRICES, saveFile, tooLarge } from './files.ts';
import {
  expect,
  goOffline,
  loseSession,
  type Persona,
  type Site,
  settleColours,
  test,
} from './harness.ts';

// Refusals and a connection that a story cuts are written into the console by the browser itself.
test.use({
  expectedConsole:
    /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_(CONNECTION_FAILED|INTERNET_DISCONNECTED|FAILED))/,
});

/** Somebody on another computer, signed in. */
async function elsewhere(
  browser: Browser,
  site: Site,
  signIn: (page: Page, persona: Persona) => Promise<void>,
  persona: Persona,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  await signIn(page, persona);
  return page;
}

async function silentAxe(page: Page) {
  await settleColours(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
}

/** Starts a project and gives its address. */
async function newProject(page: Page, title: string): Promise<string> {
  await page.goto('/dashboard/projects/new');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  return page.url();
}

async function addTask(page: Page, title: string) {
  await page.getByLabel('New task').fill(title);
  await page.getByRole('button', { name: 'Add task' }).click();
  await expect(page.getByRole('checkbox', { name: title })).toBeVisible();
}

const tasks = (page: Page) => page.getByRole('region', { name: 'Tasks' }).getByRole('checkbox');

/** The names of the tasks in their order. */
const order = (page: Page) =>
  tasks(page).evaluateAll((boxes) =>
    boxes.map((box) => (box as HTMLInputElement).labels?.[0]?.textContent ?? ''),
  );

const moved = (page: Page) => page.waitForResponse('**/rest/v1/rpc/move_project_task');

test('An owner finds projects by status, skill and words, in the order they want, and on the board', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/projects');
  const found = page.getByRole('region', { name: 'Found' });
  await expect(found.getByRole('row')).toHaveCount(6);
  await silentAxe(page);

  await page.getByLabel('Status').selectOption('All');
  await expect(page).toHaveURL(/status=all/);
  await expect(found.getByRole('row')).toHaveCount(8);
  await found.getByRole('button', { name: 'Due' }).click();
  await expect(found.getByRole('columnheader', { name: 'Due' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(found.getByRole('link').first()).toHaveText('Backups of recipes and orders');
  await page.getByLabel('Search').fill('cash fore');
  await expect(found.getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(page.getByLabel('Search')).toHaveValue('cash fore');
  await expect(found.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Search').fill('giraffe');
  await expect(found.getByText('Nothing fits')).toBeVisible();
  await page.getByRole('button', { name: 'Show all open ones' }).click();
  await expect(found.getByRole('row')).toHaveCount(6);

  // The connection is lost: the rows of before stay, and come anew when it is back.
  await goOffline(page);
  await page.getByLabel('Skill').selectOption('People management');
  await expect(page.getByRole('alert').getByText('The list could not be read')).toBeVisible();
  await expect(found.getByRole('row')).toHaveCount(6);
  await page.context().setOffline(false);
  await expect(found.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Skill').selectOption('Any');

  await page.getByRole('link', { name: 'Board' }).click();
  await expect(page).toHaveURL(/view=board/);
  await expect(page.getByRole('region', { name: 'Blocked 1 projects' })).toContainText(
    'The shop lead is on leave',
  );
  await silentAxe(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.getByRole('heading', { name: 'Draft' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('An owner starts a project from what the quiz recommends, and nothing typed is lost on the way', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto(
    '/dashboard/projects/new?area=people-management&action=people-management.written-roles',
  );
  const title = page.getByLabel('Title');
  await expect(page.getByText('From your quiz')).toBeVisible();
  await expect(title).not.toHaveValue('');
  await expect(page.getByLabel('Skill')).toHaveValue('people-management');
  await expect(page.getByLabel('Baseline')).toHaveValue(/People management scored \d+ of 100/);
  await silentAxe(page);

  await title.fill(' ');
  await page.getByLabel('Due').fill('2020-01-01');
  const create = page.getByRole('button', { name: 'Create project' });
  await create.click();
  await expect(page.getByText('Give the project a title.')).toBeVisible();
  await title.fill('One page for the night baker');
  await create.click();
  await expect(page.getByText('The due date comes before the start.')).toBeVisible();
  await page.getByLabel('Due').fill('');
  await page.getByLabel('Outcome').fill('He decides about dough alone.');

  // Offline: the words stay, and are sent when the connection is back.
  await goOffline(page);
  await create.click();
  await expect(page.getByRole('alert').getByText('Not saved yet')).toBeVisible();
  await expect(page.getByLabel('Outcome')).toHaveValue('He decides about dough alone.');
  await page.context().setOffline(false);
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'One page for the night baker' })).toBeVisible();
  await expect(page.getByText('He decides about dough alone.')).toBeVisible();
});

test('Words without a space break instead of pushing the list out of a narrow window', async ({
  page,
  signIn,
}) => {
  const word = 'Hauptbetriebswerkbauunterbeamte'.repeat(4);
  await signIn(page, 'owner');
  await newProject(page, word);
  await expect(page.getByRole('button', { name: 'Add task' })).toBeEnabled();
  await page.getByLabel('New task').fill(word);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: word })).toBeVisible();
  const address = new URL(page.url()).pathname;
  await page.setViewportSize({ width: 320, height: 700 });
  for (const each of [
    address,
    '/dashboard',
    '/dashboard/projects',
    '/dashboard/projects?view=board',
  ]) {
    await page.goto(each);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const beyond = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    await expect.poll(beyond, { message: each }).toBeLessThanOrEqual(0);
  }
});

test('A project takes its steps, says what blocks it, and is taken up again with a note', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/projects');
  await expect(page.getByText('No projects yet')).toBeVisible();
  await silentAxe(page);
  await newProject(page, 'A winter service offer');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const status = page.getByRole('region', { name: 'Status' }).getByRole('status');
  await expect(status).toHaveText('Status: Draft');
  await expect(page.getByRole('button', { name: 'Mark as done' })).toHaveCount(0);
  await press('Plan it');
  await press('Start');
  await expect(status).toHaveText('Status: In progress');

  await press('Mark as blocked');
  const dialog = page.getByRole('dialog', { name: 'What blocks it?' });
  await dialog.getByRole('button', { name: 'Mark as blocked' }).click();
  await expect(dialog.getByText('Write a few words')).toBeVisible();
  await dialog.getByLabel('What has to happen first').fill('The parts are late.');
  await page.route('**/rest/v1/rpc/move_project', (route) => route.abort('connectionfailed'));
  await dialog.getByRole('button', { name: 'Mark as blocked' }).click();
  await expect(page.getByText('The project stays where it was')).toBeVisible();
  await expect(status).toHaveText('Status: In progress');
  await page.unroute('**/rest/v1/rpc/move_project');
  await press('Try again');
  await expect(status).toHaveText('Status: Blocked');
  await expect(page.getByText('The parts are late.').first()).toBeVisible();
  await silentAxe(page);
  // The same on the narrowest phone, in the dark.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await silentAxe(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await press('Go on');
  await press('Send to review');
  await press('Mark as done');
  await expect(status).toHaveText('Status: Done');
  await press('Take up again');
  const why = page.getByRole('dialog', { name: 'Why is it taken up again?' });
  await why.getByLabel('What is still to do').fill('One customer came back.');
  await why.getByRole('button', { name: 'Take up again' }).click();
  await expect(status).toHaveText('Status: In progress');
  await page.reload();
  await expect(page.getByText('One customer came back.')).toBeVisible();
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
  await menu('Labels', 'Remove');
  await expect(tasks(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tasks(page)).toHaveCount(3);
  await page.waitForResponse('**/rest/v1/rpc/remove_project_task').catch(() => {});
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
  await newProject(page, 'Call every customer');
  await page.getByLabel('New update').fill('Called six, reached four.');
  await page.route('**/rest/v1/rpc/add_project_update', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'Add update' }).click();
  const waits = page.getByRole('listitem').filter({ hasText: 'It is kept in this browser' });
  await expect(waits).toContainText('Called six, reached four.');
  await expect(page.getByLabel('New update')).toHaveValue('');
  await page.reload();
  await expect(waits).toContainText('Called six, reached four.');
  await page.unroute('**/rest/v1/rpc/add_project_update');
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: /^You · .*Called six/ })).toBeVisible();
  await expect(waits).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Called six, reached four.')).toHaveCount(1);
});

test('A task that is added offline is kept, even over a reload, and goes out by itself', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await newProject(page, 'A stall at the fair');
  await expect(page.getByRole('button', { name: 'Add task' })).toBeEnabled();
  await page.route('**/rest/v1/rpc/add_project_task', (route) => route.abort('connectionfailed'));
  const waiting = page.getByRole('list', { name: 'Tasks on their way' }).getByRole('listitem');
  for (const title of ['Book the stall', 'Borrow a tent']) {
    await page.getByLabel('New task').fill(title);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('New task')).toHaveValue('');
    await expect(waiting.filter({ hasText: title })).toContainText('It is kept in this browser');
  }
  await expect(page.getByLabel('New task')).toBeFocused();
  await page.reload();
  await expect(waiting).toHaveCount(2);
  await page.unroute('**/rest/v1/rpc/add_project_task');
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Borrow a tent' })).toBeVisible();
  await expect(waiting).toHaveCount(0);
  expect(await order(page)).toEqual(['Book the stall', 'Borrow a tent']);
  await page.reload();
  expect(await order(page)).toEqual(['Book the stall', 'Borrow a tent']);
  await expect(page.getByText('0 of 2 done')).toBeVisible();
});

test('Two who edit at once are shown what the other one saved, and neither is overwritten', async ({
  page,
  browser,
  site,
  signIn,
}) => {
  await signIn(page, 'owner');
  const address = await newProject(page, 'A better Saturday');
  const other = await elsewhere(browser, site, signIn, 'owner');
  await other.goto(address);
  for (const each of [page, other]) await each.getByRole('button', { name: 'Edit' }).click();

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
  await other.context().close();
});

test('A session that ends while a task is typed loses nothing: signing in again sends it', async ({
  page,
  browser,
  site,
  signIn,
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
  const stranger = await elsewhere(browser, site, signIn, 'owner2');
  expect((await stranger.goto(page.url()))?.status()).toBe(404);
  await expect(stranger.getByText('Winter menu')).toHaveCount(0);
  await stranger.context().close();
});

test('Files are sent with their progress, opened by their own people, and refused by content and size', async ({
  page,
  browser,
  site,
  signIn,
}, testInfo) => {
  await signIn(page, 'owner');
  const address = await newProject(page, 'Papers for the bank');
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 32)]);
  const files = page.getByRole('region', { name: 'Files' });
  await addFiles(page, await tooLarge(testInfo));
  await expect(files.getByText('This file has 21.0 MB; at most 20 MB fit.')).toBeVisible();
  await addFiles(page, [
    { name: 'forecast für März.pdf', mimeType: 'application/pdf', buffer: pdf },
    NO_PICTURE,
    { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ]);
  await expect(files.getByRole('button', { name: 'Save forecast für März.pdf' })).toBeVisible();
  await expect(files.getByText('Its content is none that is taken here')).toBeVisible();
  await expect(files.getByText('This file is empty.')).toBeVisible();
  await silentAxe(page);
  for (const name of ['photo.png', 'film.pdf', 'nothing.txt']) {
    await files.getByRole('button', { name: `Dismiss ${name}` }).click();
  }

  // The connection is lost on the way: it is sent when that is back, once.
  await page.route('**/storage/v1/object/project-files/**', (route) =>
    route.abort('connectionfailed'),
  );
  await addFiles(page, PRICES);
  await expect(files.getByRole('alert')).toContainText('We could not reach the server');
  // Whoever leaves now would lose it.
  const leaving = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const asked = await leaving;
  expect(asked.type()).toBe('beforeunload');
  await asked.dismiss();
  await page.unroute('**/storage/v1/object/project-files/**');
  await files.getByRole('button', { name: 'Try again' }).click();
  await expect(files.getByRole('button', { name: `Save ${PRICES.name}` })).toHaveCount(1);

  await saveFile(files, 'forecast für März.pdf');

  const coach = await elsewhere(browser, site, signIn, 'coach');
  await coach.goto(address);
  await expect(coach.getByRole('button', { name: 'Save forecast für März.pdf' })).toBeVisible();
  await expect(coach.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  await expect(coach.getByRole('button', { name: 'Plan it' })).toHaveCount(0);
  await coach.getByRole('button', { name: 'Edit' }).click();
  await expect(coach.getByLabel('Title')).toHaveCount(0);
  await coach.getByLabel('Outcome').fill('The loan is decided by March.');
  await coach.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(coach.getByText('The loan is decided by March.')).toBeVisible();
  await silentAxe(coach);
  await coach.context().close();

  await files.getByRole('button', { name: 'Remove forecast für März.pdf' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(files.getByRole('button', { name: 'Save forecast für März.pdf' })).toHaveCount(0);
  await page.reload();
  await expect(files.getByRole('button', { name: /^Save / })).toHaveCount(1);
});

test('On the board a card goes on by its menu, by the keyboard and by the mouse', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await newProject(page, 'Board story');
  await page.goto('/dashboard/projects?view=board&q=board+story');
  const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name} \\d`) });
  const stored = () => page.waitForResponse('**/rest/v1/rpc/move_project');
  let answered = stored();
  await page.getByRole('button', { name: 'Move Board story' }).click();
  await page.getByRole('menuitem', { name: 'Plan it' }).click();
  await expect(column('Planned').getByRole('link', { name: 'Board story' })).toBeVisible();
  expect((await answered).ok()).toBe(true);

  const handle = page.getByRole('button', { name: 'Drag Board story' });
  await handle.hover();
  await expect(handle).toHaveAttribute('aria-roledescription', 'draggable');
  await handle.focus();
  answered = stored();
  await page.keyboard.press('Space');
  await expect(page.getByText('Board story is over Planned.')).toBeAttached();
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
  await page.getByLabel('What has to happen first').fill('Waiting for the oven.');
  await page.getByRole('button', { name: 'Mark as blocked' }).click();
  expect((await answered).ok()).toBe(true);
  await expect(column('Blocked')).toContainText('Waiting for the oven.');
  await page.reload();
  await expect(column('Blocked').getByRole('link', { name: 'Board story' })).toBeVisible();
});

test('A malformed id and one that nobody has are not found', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
    expect((await page.goto(`/dashboard/projects/${id}`))?.status()).toBe(404);
    await expect(page.getByText(`Page not found: /dashboard/projects/${id}`)).toBeVisible();
  }
});
