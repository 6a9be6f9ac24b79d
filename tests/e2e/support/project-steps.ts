import type { Page } from '@playwright/test';
import { asPerson } from '../../fixtures/database.ts';
import { register } from './account-steps.ts';
import { expect, type Site } from './harness.ts';

/** Makes a project in the business that an account owns; gives its path. */
export async function createProject(
  { sql }: Pick<Site, 'sql'>,
  title: string,
  email = 'owner@demo.test',
): Promise<string> {
  const id = crypto.randomUUID();
  const [owner] = await sql`
    select u.id, m.business_id from auth.users u
    join public.business_members m on m.user_id = u.id and m.role = 'owner'
    where u.email = ${email}`;
  await asPerson(
    sql,
    { userId: owner?.id, email },
    (tx) => tx`select create_project(${id}, ${owner?.business_id}, ${title})`,
  );
  return `/dashboard/projects/${id}`;
}

/** Makes an owner with a project, signed in here, and opens that, ready for tasks. */
export async function openProject(
  page: Page,
  site: Site,
  title: string,
): Promise<{ address: string; email: string }> {
  const email = await register(page, site, 'projects', 'Marsh Bakery');
  const address = await createProject(site, title, email);
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Add task' })).toBeEnabled();
  return { address, email };
}

/** Adds a task to the project that is open. */
export async function addTask(page: Page, title: string) {
  await page.getByLabel('New task').fill(title);
  await page.getByRole('button', { name: 'Add task' }).click();
  await expect(page.getByRole('checkbox', { name: title })).toBeVisible();
}

/** The tasks of the project that is open. */
export const tasks = (page: Page) =>
  page.getByRole('region', { name: 'Tasks' }).getByRole('checkbox');

/** The names of the tasks in their order. */
export const order = (page: Page) =>
  tasks(page).evaluateAll((boxes) =>
    boxes.map((box) => (box as HTMLInputElement).labels?.[0]?.textContent ?? ''),
  );

/** A task has been given its place. */
export const moved = (page: Page) => page.waitForResponse('**/rest/v1/rpc/move_project_task');

/** What was picked up with the keyboard takes arrows: dnd-kit listens one timer after it says so. */
export const takesArrows = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
