import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {type ProfileKind, type StoredProfile, settings} from './settings.ts'
import {type Problem, type Raw, Reading, readFields} from './value-types.ts'

export type ReadProfile =
  | {readonly profile: StoredProfile}
  | {readonly problems: readonly [Problem, ...Problem[]]}

/**
 * Turns one entry of profiles.json into a profile with its defaults, or returns all its problems. Every command uses
 * this, so it doesn't load Ajv, which alone would take longer than the rest of the start.
 */
export function readProfile(raw: unknown): ReadProfile {
  if (!isObject(raw)) return {problems: [{member: '(the entry)', message: 'is not an object'}]}
  const at = new Reading(raw)
  const profile = readFields(settings, raw, at) as StoredProfile
  const [first, ...rest] = at.problems
  return first === undefined ? {profile} : {problems: [first, ...rest]}
}

/** The settings of an entry with their defaults. One that can't be read is as it is stored. */
export function effectiveValues(raw: Raw): Raw {
  const at = new Reading(raw)
  const read: Record<string, unknown> = {...readFields(settings, raw, at)}
  for (const {member} of at.problems) {
    const [name = ''] = member.split('.')
    if (Object.hasOwn(raw, name)) read[name] = raw[name]
  }
  return read
}

/** A profile with nothing but a kind and a base URL. */
function defaultProfile(kind: ProfileKind, baseUrl: string): StoredProfile {
  return {...(readFields(settings, {kind}, new Reading({kind})) as StoredProfile), baseUrl}
}

/** The base URL of the embedded sandbox. The name is never resolved: the dispatcher responds itself. */
export const EMBEDDED_BASE_URL = 'http://sandbox.embedded'

/** The built-in sandbox, with a customerBID for remote checkout. It runs in this process. */
export const embeddedProfile: StoredProfile = {
  ...defaultProfile('sandbox', EMBEDDED_BASE_URL),
  settleDelayMs: 0,
  bid: 'SANDBOX',
}

/** One problem in words, for example "words.waleta is not a neutral word … . Did you mean walleta?" */
export function describeProblem({member, message, suggestion}: Problem): string {
  return `${member} ${message}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
}

/** For a stored profile that can't be used. */
export function invalidProfile(name: string, problems: readonly Problem[]): Failure {
  return new Failure('PROFILE_INVALID', {
    message: `The profile ${name} cannot be used: ${problems.map(describeProblem).join(' ')}`,
    hint: advice`Correct it: ${cardctl('profiles', 'edit', {value: name}, '--interactive')}`,
    effect: 'none',
    data: {problems},
  })
}

/** For settings that the user passes now. */
export function invalidSettings(name: string, problems: readonly Problem[]): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The profile ${name} was not stored: ${problems.map(describeProblem).join(' ')}`,
    effect: 'none',
    data: {problems},
  })
}
