import { readdirSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** The files with stories, such as `messages.spec.ts`. */
const files = readdirSync(new URL('./e2e', import.meta.url)).filter((name) =>
  name.endsWith('.spec.ts'),
);

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  // One cluster, one template and one build for the run; each file clones and starts its own site,
  // since projects share no workers: the demo accounts are as they were, whatever ran before.
  projects: files.map((file) => ({ name: file.replace('.spec.ts', ''), testMatch: `**/${file}` })),
  globalSetup: './e2e/support/run-setup.ts',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    locale: 'en-US',
    timezoneId: 'America/Denver',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
  },
});
