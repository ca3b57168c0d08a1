import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {type Policy, policyPlace} from '../../../policy/index.ts'

/** The policy of this machine; undefined, and said so, if it has none. @throws Failure INPUT_INVALID for a bad one */
export async function policyInForce(context: Context): Promise<Policy | undefined> {
  const found = await context.policy
  if (found === undefined) {
    const {folder} = context.surroundings.policyPlace ?? policyPlace()
    context.printer.note(`This machine has no policy: there is no ${folder}/policy.yaml and no policy.json.`)
    return undefined
  }
  if ('policy' in found) return found.policy
  throw new Failure('INPUT_INVALID', {
    message: `The policy ${found.path} can't be used, so nothing is sent to a live service. ${found.problem}`,
    hint: 'Ask its owner to correct it.',
    effect: 'none',
  })
}
