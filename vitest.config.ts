import { defineConfig } from 'vitest/config';

const conditions = ['@kiln/source'];
const resolve = { conditions };
const ssr = { resolve: { conditions, externalConditions: conditions } };

/**
 * Three sizes: `unit` (pure, threads), `integration` (real Postgres, Redis, ONNX; `*.int.spec.ts`), `e2e` (real processes).
 * They run one after the other, the quick ones first.
 * `isolate: false` because module isolation is the largest cost on two cores: keep no mutable module state.
 */
export default defineConfig({
  resolve,
  ssr,
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: [
            'libs/*/src/**/*.spec.ts',
            'apps/*/src/**/*.spec.ts',
            'bench/src/**/*.spec.ts',
            'test/architecture/**/*.spec.ts',
            'test/docs/**/*.spec.ts',
            'test/conformance/src/**/*.spec.ts',
          ],
          exclude: ['**/*.int.spec.ts', '**/node_modules/**', '**/dist/**'],
          pool: 'threads',
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['libs/*/src/**/*.int.spec.ts', 'apps/*/src/**/*.int.spec.ts', 'test/conformance/src/**/*.int.spec.ts'],
          globalSetup: ['libs/testing/src/leak-check.global.ts'],
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: ['test/e2e/**/*.spec.ts'],
          globalSetup: ['libs/testing/src/leak-check.global.ts'],
          pool: 'forks',
          isolate: false,
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
