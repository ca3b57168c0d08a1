import type {Config} from '@oclif/core/config'
import {CLIError} from '@oclif/core/errors'
import {Failure} from '../errors/failure.ts'
import {meantName} from '../errors/nearest-name.ts'

/** All commands and topics, as users type them. */
export const namesIn = ({commandIDs, topics}: Pick<Config, 'commandIDs' | 'topics'>): string[] =>
  [...topics.map(({name}) => name), ...commandIDs].map(id => id.replaceAll(':', ' '))

/** oclif says only that there is no such command. Users want to know which one they meant. */
export function unknownCommand(
  words: readonly string[],
  names: readonly string[],
  what = 'command',
): Failure {
  // Of `cards gte 3001` only the first two words can be a command.
  const beginnings = [words.length, 3, 2, 1].map(count => words.slice(0, count).join(' '))
  const whole = beginnings.find(beginning => names.includes(beginning))
  const isTopic = whole !== undefined && names.some(name => name.startsWith(`${whole} `))
  if (whole !== undefined && !isTopic) return failure(`${whole} takes no arguments.`, whole)
  const meant = beginnings
    .map(beginning => meantName(beginning, mayBeMeant(beginning, names)))
    .find(name => name !== undefined && name !== whole)
  return failure(
    `${isTopic ? `${whole} has no such command` : `There is no such ${what}`}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    whole,
  )
}

const READS = /(?:^| )(?:describe|find|get|info|list|search|show|status|view)$/

/** Never suggests a command that changes something to a user who wants to see something. */
const mayBeMeant = (given: string, names: readonly string[]): readonly string[] =>
  READS.test(given) ? names.filter(name => READS.test(name)) : names

const failure = (message: string, place = ''): Failure =>
  new Failure('USAGE', {message, hint: `See cardctl ${place}${place && ' '}--help.`, effect: 'none'})

/** For `cardctl -p prod cards list`. */
export const flagsFirst = (): Failure =>
  new Failure('USAGE', {
    message: 'Put the command first and the flags after it.',
    hint: 'For example: cardctl cards get 3001 --output json. See cardctl --help.',
    effect: 'none',
  })

/** oclif throws CLIErrors in a command, which turns them into Failures, and for a command or topic that it doesn't find. */
export const isUnknownCommand = (error: unknown): boolean => error instanceof CLIError
