import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { register } from './account-steps.ts';
import { awake, expect, type Site } from './harness.ts';

/** An authenticator app. Clears Auth's used codes each time, because a code works only once. */
export class Authenticator {
  readonly #secret: string;
  readonly #site: Site;

  constructor(site: Site, secret: string) {
    this.#site = site;
    this.#secret = secret.replaceAll(' ', '');
  }

  /** The current code. */
  async code(): Promise<string> {
    await this.#site.sql`delete from public.rate_limits`;
    return codeAt(this.#secret, Date.now());
  }

  /** A code that isn't valid now. */
  wrong(): string {
    const near = [-1, 0, 1].map((step) => codeAt(this.#secret, Date.now() + step * 30_000));
    return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? '';
  }
}

function codeAt(secret: string, timestamp: number): string {
  return new TOTP({ secret }).generate({ timestamp });
}

/** Creates an account and opens its profile, or a section of it; returns the email address. */
export async function openProfile(
  page: Page,
  site: Site,
  name: string,
  section: '' | '/security' | '/data' = '',
): Promise<string> {
  const email = await register(page, site, name);
  await page.goto(`/dashboard/profile${section}`);
  await awake(page);
  return email;
}

/** Adds an authenticator app on the open page of sign-in settings. */
export async function addApp(page: Page, site: Site): Promise<Authenticator> {
  const add = page.getByRole('button', { name: /^Add an(other| authenticator) app$/ });
  const isFirst = (await add.textContent()) === 'Add an authenticator app';
  await add.click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  const app = new Authenticator(site, (await dialog.locator('code').textContent()) ?? '');
  await dialog.getByLabel('Code', { exact: true }).fill(await app.code());
  await dialog.getByRole('button', { name: 'Add this app' }).click();
  await expect(dialog).toBeHidden();
  // With the first app come the recovery codes.
  if (isFirst) await page.getByRole('button', { name: 'I’ve saved them' }).click();
  return app;
}
