import type { Page } from '@playwright/test';
import { asPerson } from '../../fixtures/database.ts';
import { createMember, newAddress, register } from './account-steps.ts';
import { expect, type Site } from './harness.ts';

/** The URL of a business's page. */
export const BUSINESS = /\/dashboard\/businesses\/[0-9a-f-]{36}$/;

/** Creates and signs in an owner with a business, and opens its page; returns the owner's email. */
export async function openBusiness(page: Page, site: Site, name: string): Promise<string> {
  const email = await register(page, site, 'owner', name);
  const [row] = await site.sql`select id from public.businesses where name = ${name}`;
  await page.goto(`/dashboard/businesses/${row?.id}`);
  return email;
}

/** Adds another business to an account. */
export async function addBusiness({ sql }: Site, email: string, name: string): Promise<void> {
  const [owner] = await sql`select id from auth.users where email = ${email}`;
  const who = { userId: owner?.id, email };
  await asPerson(sql, who, (tx) => tx`select create_business(${crypto.randomUUID()}, ${name})`);
}

/** Creates a member of a business; returns their email address. */
export async function addColleague({ sql }: Site, business: string): Promise<string> {
  const email = newAddress('colleague');
  const { id } = await createMember(sql, { email, fullName: 'Cole League' });
  await sql`
    insert into public.business_members (business_id, user_id, role)
    select id, ${id}, 'member' from public.businesses where name = ${business}`;
  return email;
}

/** Waits until a business's page is hydrated. */
export const ready = (page: Page) =>
  expect(page.getByRole('button', { name: 'Archive this business' })).toBeEnabled();
