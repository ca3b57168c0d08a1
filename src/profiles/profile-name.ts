import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {cardctl} from '../errors/suggested-command.ts'

/** The reserved name of the built-in profile. */
export const EMBEDDED_PROFILE = 'sandbox'

/** The reserved name of the profile that CARDCTL_BASE_URL creates if no profile is chosen. */
export const AD_HOC_PROFILE = 'unnamed'

/** Whether the name is that of a stored profile. The two reserved names only stand for a base URL. */
export const isNamed = (profile: string): boolean =>
  profile !== AD_HOC_PROFILE && profile !== EMBEDDED_PROFILE

/** Device names that Windows opens in place of a file; the journal has one file per profile. */
const deviceNames = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/

/**
 * Whether a profile may have this name: 1 to 63 lower-case letters, digits, and . _ - with a letter or digit at both
 * ends. Lower case only, because the name becomes a file name and some file systems ignore case.
 */
export function isProfileName(name: string): boolean {
  return (
    /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/.test(name) && !name.includes('..') && !deviceNames.test(name)
  )
}

/** @throws Failure INPUT_INVALID for a name that no new profile may have. */
export function checkNewName(name: string): void {
  if (name === EMBEDDED_PROFILE || name === AD_HOC_PROFILE) {
    throw new Failure('INPUT_INVALID', {
      message: `The name ${name} is taken by a built-in profile.`,
      hint: 'Choose another name.',
      effect: 'none',
    })
  }
  if (isProfileName(name)) return
  throw new Failure('INPUT_INVALID', {
    message:
      'A name has at most 63 lower-case letters, digits, . _ and -, and begins and ends with a letter or digit.',
    hint: 'For example prod, or staging-2.',
    effect: 'none',
  })
}

/** Failure PROFILE_NOT_FOUND, with the most similar name. `source` says where the name came from. */
export function profileNotFound(name: string, known: Iterable<string>, source?: string): Failure {
  const meant = nearestName(name, known)
  const from = source === undefined ? '' : ` (${source})`
  return new Failure('PROFILE_NOT_FOUND', {
    message: `There is no profile ${printable(name)}${from}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    effect: 'none',
  })
}

/** A name that no profile can have may be anything, even a secret, so it isn't quoted. */
function printable(name: string): string {
  return /^[A-Za-z0-9._-]{1,63}$/.test(name) ? name : 'of that name'
}

/** Failure for a change to the built-in profile. */
export function builtIn(): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The profile ${EMBEDDED_PROFILE} is built in and cannot be changed or removed.`,
    hint: advice`Add a profile of your own: ${cardctl('profiles', 'add', {value: 'NAME'})}`,
    effect: 'none',
  })
}

/** Failure for adding a profile whose name is taken. */
export function nameTaken(name: string): Failure {
  return new Failure('INPUT_INVALID', {
    message: `There is a profile ${name} already.`,
    hint: advice`Change it: ${cardctl('profiles', 'edit', {value: name}, '--interactive')}. To remove it first: ${cardctl('profiles', 'remove', {value: name})}`,
    effect: 'none',
  })
}
