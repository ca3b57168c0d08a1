// How Stryker runs the tests of the sources that it changes: `test/soak/mutations.ts` names them.
import process from 'node:process'
import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(' '),
    isolate: false,
    experimental: {viteModuleRunner: false, nodeLoader: false},
    setupFiles: ['test/helpers/seed.ts', 'test/helpers/short-properties.ts'],
    globalSetup: ['test/helpers/in-memory.ts'],
    testTimeout: 30_000,
  },
})
