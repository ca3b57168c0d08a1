import {ensureGenerated} from '../../tools/contract/generated.ts'
import {describeCommands} from '../../tools/describe-commands.ts'

/** Generates what the sources need and git does not keep. */
export async function setup(): Promise<void> {
  ensureGenerated()
  await describeCommands()
}
