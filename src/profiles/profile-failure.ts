import {Failure} from '../errors/failure.ts'
import type {Problem} from './words.ts'

/** One problem as words, e.g. "words.waleta is not a neutral word … . Did you mean walleta?" */
export function describeProblem({member, message, suggestion}: Problem): string {
  return `${member} ${message}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
}

/** For a profile of the file that cannot be used. */
export function invalidProfile(name: string, problems: readonly Problem[]): Failure {
  return failure('PROFILE_INVALID', `The profile ${name} cannot be used`, problems, {
    hint: `Correct it with profiles edit ${name}.`,
  })
}

/** For settings that somebody is giving now. */
export function invalidSettings(name: string, problems: readonly Problem[]): Failure {
  return failure('INPUT_INVALID', `The profile ${name} was not stored`, problems, {})
}

function failure(
  code: 'PROFILE_INVALID' | 'INPUT_INVALID',
  what: string,
  problems: readonly Problem[],
  more: {readonly hint?: string},
): Failure {
  return new Failure(code, {
    message: `${what}: ${problems.map(describeProblem).join(' ')}`,
    effect: 'none',
    data: {problems},
    ...more,
  })
}
