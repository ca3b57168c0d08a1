// Runs command lines as the user of this process, in their home.
import process from 'node:process'
import {osUser} from '../../src/cli/os-user.ts'
import {homeAt} from '../helpers/cli.ts'

const home = homeAt(process.cwd(), osUser())

process.on('message', async ({argv, env}: {argv: readonly string[]; env: Record<string, string>}) => {
  process.send?.(await home.run(argv, {env: {CARDCTL_PROFILE: '', ...env}}))
})
