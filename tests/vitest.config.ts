import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import Slowest from './slowest.ts';

/** Tests that query a real database, cloned from a template. */
const WITH_DATABASE = [
  'tests/policies/**/*.test.ts',
  'tests/unit/backend/**/*.test.ts',
  'tests/unit/domain/scoring-*.test.ts',
];

const common = {
  root: fileURLToPath(new URL('../', import.meta.url)),
  restoreMocks: true,
  // Otherwise it's empty, and documents drawn on the server read their colors from it.
  css: { include: [/tokens\.css/] },
  unstubEnvs: true,
  unstubGlobals: true,
};

export default defineConfig({
  test: {
    // With two cores, more workers would only wait for each other, each with a database open.
    maxWorkers: 2,
    reporters: ['default', new Slowest()],
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: [
            'tests/unit/**/*.test.ts',
            'tests/unit/**/*.test.tsx',
            'tests/architecture/**/*.test.ts',
          ],
          exclude: WITH_DATABASE,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...common,
          name: 'database',
          include: WITH_DATABASE,
          globalSetup: ['tests/fixtures/cluster.ts'],
          setupFiles: ['tests/fixtures/quick-passwords.ts'],
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...common,
          name: 'site',
          include: ['tests/site/**/*.test.ts'],
          globalSetup: ['tests/site/build-once.ts'],
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
