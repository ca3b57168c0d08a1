import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {type ProfileKind, type StoredProfile, settings} from './settings.ts'
import {type Problem, Reading, readMembers} from './value-types.ts'

export type ReadProfile =
  | {readonly profile: StoredProfile}
  | {readonly problems: readonly [Problem, ...Problem[]]}

/**
 * Turns one entry of profiles.json into a profile with its defaults filled in, or says all that is wrong with it. Every
 * command comes through here, so it reads the schema itself: Ajv alone would take longer than the rest of the start.
 */
export function readProfile(raw: unknown): ReadProfile {
  if (!isObject(raw)) return {problems: [{member: '(the entry)', message: 'is not an object'}]}
  const at = new Reading(raw)
  const profile = readMembers(settings, raw, at) as StoredProfile
  const [first, ...rest] = at.problems
  return first === undefined ? {profile} : {problems: [first, ...rest]}
}

/** A profile of which only kind and address are known. */
export function defaultProfile(kind: ProfileKind, baseUrl: string): StoredProfile {
  return {...(readMembers(settings, {kind}, new Reading({kind})) as StoredProfile), baseUrl}
}

/** The address of the embedded sandbox. It is never looked up: the dispatcher in front answers. */
export const EMBEDDED_BASE_URL = 'http://sandbox.embedded'

/** The built-in sandbox. It answers in this process, so no request is left running. */
export const embeddedProfile: StoredProfile = {
  ...defaultProfile('sandbox', EMBEDDED_BASE_URL),
  settleDelayMs: 0,
}

/** One problem in words, for example "words.waleta is not a neutral word … . Did you mean walleta?" */
export function describeProblem({member, message, suggestion}: Problem): string {
  return `${member} ${message}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
}

/** For a profile of the file that cannot be used. */
export function invalidProfile(name: string, problems: readonly Problem[]): Failure {
  return new Failure('PROFILE_INVALID', {
    message: `The profile ${name} cannot be used: ${problems.map(describeProblem).join(' ')}`,
    hint: `Correct it with profiles edit ${name}.`,
    effect: 'none',
    data: {problems},
  })
}

/** For settings that somebody gives now. */
export function invalidSettings(name: string, problems: readonly Problem[]): Failure {
  return new Failure('INPUT_INVALID', {
    message: `The profile ${name} was not stored: ${problems.map(describeProblem).join(' ')}`,
    effect: 'none',
    data: {problems},
  })
}
