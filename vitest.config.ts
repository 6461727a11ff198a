import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/eval/**'],
    pool: 'threads',
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
