// Every command line, however the service answers, in every format: no secret may be found anywhere.
import process from 'node:process'
import {run} from '../../tools/run.ts'

process.env.CARDCTL_CANARY = 'full'
process.exitCode = run('vitest', ['run', '--testTimeout=120000', 'test/canary']).code
