import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  // A run shares a database cluster, a template with demo data, and a build. Each worker keeps its
  // browser; each file clones the template and starts its own site, so it finds pristine data.
  globalSetup: './e2e/support/run-setup.ts',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./slowest.ts']],
  use: {
    locale: 'en-US',
    timezoneId: 'America/Denver',
    screenshot: 'only-on-failure',
    // Recording traces takes as long as the tests themselves.
    trace: process.env.TEST_TRACE ? 'retain-on-failure' : 'off',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
  },
});
