import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect } from './harness.ts';

/** Nothing on the page is hard to use. */
export async function silentAxe(page: Page) {
  const violations = await violationsOn(page);
  expect(violations).toEqual([]);
}

/** Starts a project and gives its address. */
export async function newProject(page: Page, title: string): Promise<string> {
  await page.goto('/dashboard/projects/new');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  return page.url();
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
