import type { Page } from '@playwright/test';
import { asPerson } from '../../fixtures/database.ts';
import { register } from './account-steps.ts';
import { expect, type Site } from './harness.ts';

/** Creates a project in the business that an account owns; returns its path. */
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

/** Creates and signs in an owner with a project, and opens the project, ready for tasks. */
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

/** Adds a task to the open project. */
export async function addTask(page: Page, title: string) {
  await page.getByLabel('New task').fill(title);
  await page.getByRole('button', { name: 'Add task' }).click();
  await expect(page.getByRole('checkbox', { name: title })).toBeVisible();
}

/** The open project's tasks. */
export const tasks = (page: Page) =>
  page.getByRole('region', { name: 'Tasks' }).getByRole('checkbox');

/** The tasks' names, in order. */
export const order = (page: Page) =>
  tasks(page).evaluateAll((boxes) =>
    boxes.map((box) => (box as HTMLInputElement).labels?.[0]?.textContent ?? ''),
  );

/** Waits for the response to moving a task. */
export const moved = (page: Page) => page.waitForResponse('**/rest/v1/rpc/move_project_task');

/** Waits until arrow keys work: dnd-kit starts listening one timer after announcing the pickup. */
export const takesArrows = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
