import {Failure} from '../errors/failure.ts'
import {type CommandFacts, type UsageError, usageWords} from './usage-words.ts'

/** Turns whatever was thrown into a Failure: oclif's usage errors of a command get words of ours, all else is our fault. */
export function failureFrom(error: unknown, command: CommandFacts = NO_COMMAND): Failure {
  // oclif puts its own words around the message of what a flag's parser throws.
  if (error instanceof Failure) return error.message === error.details.message ? error : error.with({})
  const {message, oclif, code} = describe(error)
  if (oclif?.exit !== undefined) {
    return new Failure('USAGE', {message: usageWords(error as UsageError, command), cause: error})
  }
  if (code === 'ENOSPC' || code === 'EROFS' || code === 'EACCES') {
    return new Failure('CONFIG_UNREADABLE', {message: firstLine(message), cause: error})
  }
  // The message of an unknown error may quote what it choked on, so only its kind is shown; --debug has the stack.
  const name = error instanceof Error ? error.name : typeof error
  return new Failure('INTERNAL', {message: `Unexpected ${name}.`, cause: error})
}

const NO_COMMAND: CommandFacts = {name: 'cardctl', args: {}, flags: {}}

function describe(error: unknown): {message: string; oclif?: {exit?: number}; code?: string} {
  if (typeof error !== 'object' || error === null) return {message: String(error)}
  const {message = '', oclif, code} = error as {message?: string; oclif?: {exit?: number}; code?: string}
  return {message, ...(oclif ? {oclif} : {}), ...(typeof code === 'string' ? {code} : {})}
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
