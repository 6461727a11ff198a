import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/eval/**'],
    pool: 'threads',
    // Generous: a machine that does other work beside must not fail a fact.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
