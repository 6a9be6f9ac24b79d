import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { register } from './account-steps.ts';
import { expect, type Site } from './harness.ts';

/** An authenticator app whose clock may go wrong by a step of 30 s; each of its codes is good once. */
export class Authenticator {
  readonly secret: string;
  readonly #given = new Set<number>();

  constructor(secret: string) {
    this.secret = secret.replaceAll(' ', '');
  }

  /**
   * A code not given before, the one that counts longest; three in half a minute, as Auth takes. The
   * third ends with the present step: where little of it is left, it is one of the next step.
   */
  async code(): Promise<string> {
    const present = () => Math.floor(Date.now() / 30_000);
    let now = present();
    if (this.#given.has(now) && this.#given.has(now + 1) && Date.now() % 30_000 > 15_000) {
      await expect.poll(present, { timeout: 20_000 }).toBeGreaterThan(now);
      now = present();
    }
    const step = [now + 1, now, now - 1].find((each) => !this.#given.has(each));
    if (step === undefined) throw new Error('All codes that count now were given');
    this.#given.add(step);
    return codeAt(this.secret, step * 30_000);
  }

  /** A code that is none of those that count now. */
  wrong(): string {
    const near = [-1, 0, 1].map((step) => codeAt(this.secret, Date.now() + step * 30_000));
    return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? '';
  }
}

function codeAt(secret: string, timestamp: number): string {
  return new TOTP({ secret }).generate({ timestamp });
}

/** An account of its own on its profile page; gives the address. */
export async function openProfile(page: Page, site: Site, name: string): Promise<string> {
  const email = await register(page, site, name);
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('button', { name: 'Add an authenticator app' })).toBeEnabled();
  return email;
}

/** Adds an app on the profile page that is open. */
export async function addApp(page: Page): Promise<Authenticator> {
  await page.getByRole('button', { name: /^Add an(other| authenticator) app$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  const app = new Authenticator((await dialog.locator('code').textContent()) ?? '');
  await dialog.getByLabel('Code').fill(await app.code());
  await dialog.getByRole('button', { name: 'Add this app' }).click();
  await expect(dialog).toBeHidden();
  return app;
}
