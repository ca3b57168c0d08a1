import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/soak/**'],
    setupFiles: ['test/helpers/seed.ts'],
    // oclif writes to the console of the process; without this vitest swallows it.
    disableConsoleIntercept: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
