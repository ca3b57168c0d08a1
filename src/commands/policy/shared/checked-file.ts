import {readTextFile} from '../../../cli/read-text.ts'
import type {Surroundings} from '../../../cli/surroundings.ts'
import {advice} from '../../../errors/advice.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {readPolicy} from '../../../policy/index.ts'
import {unusableFile} from '../../../user-files/index.ts'

export interface CheckedPolicy {
  /** Null where this machine has no policy. */
  readonly file: string | null
  /** Who may change it; absent for a file that isn't in force. */
  readonly owner?: string
  /** How many it names. */
  readonly profiles: number
}

/** @throws Failure INPUT_INVALID with everything that is wrong in it, by line and column */
export async function checkedFile(file: string, surroundings: Surroundings): Promise<CheckedPolicy> {
  const {policy, problems} = await readPolicy(await readTextFile(file, surroundings))
  if (policy === undefined)
    throw unusableFile(
      file,
      problems,
      advice`For the format of policies, see ${cardctl('help', 'docs/policy.md')}`,
    )
  return {file, profiles: Object.keys(policy.profiles).length}
}
