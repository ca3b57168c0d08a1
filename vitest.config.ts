import {join} from 'node:path'
import process from 'node:process'
import {defineConfig} from 'vitest/config'
import {BaseSequencer, type TestSpecification} from 'vitest/node'

/** Tests that look at the build or run it. */
const ON_THE_BUILD = [
  'test/binary/**/*.test.ts',
  'test/journeys/**/*.test.ts',
  'test/package/**/*.test.ts',
  'test/{webhook/,}page/**/*.test.ts',
  'test/supply-chain/**/*.test.ts',
]

const isWhole = process.env.CARDCTL_TESTS === 'whole'

/** What a commit leaves to the soak: more ways, faults and rivals of what other tests show once. */
const OF_THE_SOAK = isWhole ? [] : ['test/**/*.long.test.ts']

/**
 * Tests of the sandbox that know nothing of where its state is. They run on both stores: here those whose rules a store
 * could break, in the soak all.
 */
const ON_ANY_STORE = isWhole
  ? [
      'test/sandbox/{a2a,accounts,cards,contract,control,idempotency,kept-keys,ledger,own-pages,pin,pricelists,remotecheckout,repeated-reads,snapshot,store,groups,wallets}.test.ts',
      'test/sandbox/authorisations/*.test.ts',
    ]
  : [
      'test/sandbox/{idempotency,kept-keys,ledger,own-pages,repeated-reads,store,groups}.test.ts',
      'test/sandbox/authorisations/pending-model.test.ts',
    ]

/** What a new command, flag or page most often lacks fails in the first minute. */
const FIRST =
  /\/test\/(?:stability\/|commands\/mcp\/tools|docs\/(?:paths|style|commands|asked|size|security-sentences)\.)/

/** Files that take long though they are short. Last of all, one would keep its worker busy while the others have no work. */
const LONG = /\/test\/(?:(?:canary|examples|site)\/|package\/packages|docs\/run-endings)/

const PROJECTS = ['build', 'postgres', 'rooms']

/** Vitest goes by the size of files, since a fresh clone knows no durations. Projects run one after the other. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return PROJECTS.flatMap(name => {
      const files = sorted.filter(({project}) => project.name === name)
      return [FIRST, LONG, /./].flatMap((_, rank, ranks) =>
        files.filter(({moduleId}) => ranks.findIndex(each => each.test(moduleId)) === rank),
      )
    })
  }
}

export default defineConfig({
  test: {
    // Loading the sources takes longer than most test files run. So Node loads them, once in each worker, and the test
    // files that a worker runs share them.
    isolate: false,
    experimental: {viteModuleRunner: false, nodeLoader: false},
    // With a larger young generation, less of what short commands leave behind is copied: 6% less processor time.
    execArgv: ['--max-semi-space-size=32'],
    env: {
      // Compiled and with their types stripped, the sources load in half the time: here and in the processes that tests start.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/cardctl-tests'),
      // Where the pipe to its input is a socket, as Node makes them, bash takes itself for a remote shell and reads
      // ~/.bashrc, which may take seconds. Not if another shell started it.
      SHLVL: '2',
    },
    setupFiles: ['test/helpers/seed.ts', 'test/helpers/tables.ts'],
    // oclif writes to the console of the process; without this vitest swallows it.
    disableConsoleIntercept: true,
    // A slow machine with much else to do takes four times as long: only what hangs fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: {poll: {timeout: 60_000}},
    sequence: {sequencer: LongFirst},
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/soak/**',
            'test/sandbox/postgres/**',
            'test/{fleet,postgres}/**',
            ...ON_THE_BUILD,
            ...OF_THE_SOAK,
          ],
          globalSetup: [
            'test/helpers/in-memory.ts',
            'test/helpers/fresh-sources.ts',
            'test/helpers/one-browser.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...ON_ANY_STORE, 'test/sandbox/postgres/*.test.ts', 'test/{fleet,postgres}/*.test.ts'],
          setupFiles: ['test/helpers/seed.ts', 'test/helpers/tables.ts', 'test/helpers/needs-postgres.ts'],
          globalSetup: [
            'test/helpers/in-memory.ts',
            'test/helpers/fresh-sources.ts',
            'test/sandbox/helpers/migrated-postgres.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'build',
          include: ON_THE_BUILD,
          exclude: OF_THE_SOAK,
          globalSetup: [
            'test/helpers/in-memory.ts',
            'test/helpers/fresh-build.ts',
            'test/helpers/one-browser.ts',
          ],
        },
      },
    ],
  },
})
