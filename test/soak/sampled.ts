// The long tests, every case of those of which a commit takes a part, and the tests of the sandbox on both stores.
import {globSync, readFileSync} from 'node:fs'
import process from 'node:process'
import {run} from '../../tools/run.ts'

const sampled = globSync('test/**/*.test.ts').filter(
  file => file.endsWith('.long.test.ts') || /helpers\/whole\.ts|\.each\b/.test(readFileSync(file, 'utf8')),
)

process.env.CARDCTL_TESTS = 'whole'
process.exitCode = run('vitest', ['run', ...sampled, 'test/sandbox']).code
