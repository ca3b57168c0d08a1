// Every case of the tests of which those of a commit take a part.
import process from 'node:process'
import {run} from '../../tools/run.ts'

const SAMPLED = [
  'test/binary/every-command.test.ts',
  'test/binary/layout-memory.test.ts',
  'test/binary/long-phases.test.ts',
  'test/binary/terminal-goes.test.ts',
  'test/cli/help.test.ts',
  'test/commands/gateway-transfers.test.ts',
  'test/commands/webhook-certify.test.ts',
  'test/commands/webhook-mutual-tls.test.ts',
  'test/commands/wrong-clock.test.ts',
  'test/dialect/webhook-commands.test.ts',
  'test/fleet/simulated-pace.test.ts',
  'test/sandbox',
]

process.env.CARDCTL_TESTS = 'whole'
process.exitCode = run('vitest', ['run', ...SAMPLED]).code
