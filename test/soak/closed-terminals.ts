// Every event in every scene of test/binary/terminal-goes.test.ts, of which the tests of a commit take a part.
import process from 'node:process'
import {run} from '../../tools/run.ts'

process.env.CARDCTL_TERMINALS = 'full'
process.exitCode = run('vitest', ['run', 'test/binary/terminal-goes.test.ts']).code
