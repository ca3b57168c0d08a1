import type {Context} from '../../../cli/context.ts'
import {examineSetup, isTryOut, membersOutsideGroup, missingLines} from '../../../cli/proposal-setup.ts'
import {Failure} from '../../../errors/failure.ts'
import type {ProfileDetails} from '../../../profiles/index.ts'

/** Says at once all that a profile's second person still needs, with the commands. */
export function sayMissing({printer}: Context, profile: ProfileDetails): void {
  const {name, proposals, secondPersonFor} = profile
  if (secondPersonFor.length === 0 && proposals === undefined) return
  try {
    const {missing: found, members} = examineSetup(profile)
    const missing = [...found, ...(members === undefined ? [] : membersOutsideGroup(profile, members))]
    if (missing.length === 0) return
    printer.warn(`The profile ${name} wants a second person. Still missing:`, {
      code: 'SECOND_PERSON_SETUP',
      missing: missing.map(({what, command}) => ({what, command})),
    })
    const alone = isTryOut(profile)
      ? []
      : ['One person can try it out with two profiles of a sandbox on this machine: cardctl help four-eyes']
    printer.note(...missingLines(missing), ...alone)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    printer.warn(error.message)
  }
}
