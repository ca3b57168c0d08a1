import {Failure} from '../errors/failure.ts'
import {meantName} from '../errors/nearest-name.ts'
import {topicNames} from './program.ts'

/** All topics and commands, as users type them. */
export const namesIn = (commandIds: readonly string[]): string[] =>
  [...topicNames, ...commandIds].map(id => id.replaceAll(':', ' '))

/** Says which command was probably meant. */
export function unknownCommand(
  words: readonly string[],
  names: readonly string[],
  what = 'command',
): Failure {
  // Of `cards gte 3001` only the first two words can be a command.
  const beginnings = [words.length, 3, 2, 1].map(count => words.slice(0, count).join(' '))
  const topic = beginnings.find(beginning => names.includes(beginning))
  const meant = beginnings
    .map(beginning => meantName(beginning, mayBeMeant(beginning, names)))
    .find(name => name !== undefined && name !== topic)
  return failure(
    `${topic === undefined ? `There is no such ${what}` : `${topic} has no such command`}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    topic,
  )
}

const READS = /(?:^| )(?:describe|find|get|info|list|search|show|status|view)$/

/** Who asks to see something is never offered what changes it. */
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
