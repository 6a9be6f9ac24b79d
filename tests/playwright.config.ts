import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  // One cluster, one template with the demo and one build for the run; a worker keeps its browser, and
  // each file clones the template and starts its own site: the demo is as it was made.
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
    // A trace of every story takes as long as the stories.
    trace: process.env.TEST_TRACE ? 'retain-on-failure' : 'off',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
  },
});
