// Every case of the tests of which those of a commit take a part, and the tests of the sandbox on both stores.
import {globSync, readFileSync} from 'node:fs'
import process from 'node:process'
import {run} from '../../tools/run.ts'

const sampled = globSync('test/**/*.test.ts').filter(file =>
  /helpers\/whole\.ts/.test(readFileSync(file, 'utf8')),
)

process.env.CARDCTL_TESTS = 'whole'
process.exitCode = run('vitest', ['run', ...sampled, 'test/sandbox']).code
