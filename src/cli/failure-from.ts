import {Failure} from '../errors/failure.ts'

/** Turns whatever was thrown into a Failure: oclif's usage errors keep their words, all else is a fault of ours. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof Failure) return error
  const {message, oclif, code} = describe(error)
  if (oclif?.exit !== undefined) {
    return new Failure('USAGE', {message: withoutHelpLine(message), cause: error})
  }
  if (code === 'ENOSPC' || code === 'EROFS' || code === 'EACCES') {
    return new Failure('CONFIG_UNREADABLE', {message: firstLine(message), cause: error})
  }
  // The message of an unknown error may quote what it choked on, so only its kind is shown; --debug has the stack.
  const name = error instanceof Error ? error.name : typeof error
  return new Failure('INTERNAL', {message: `Unexpected ${name}.`, cause: error})
}

function describe(error: unknown): {message: string; oclif?: {exit?: number}; code?: string} {
  if (typeof error !== 'object' || error === null) return {message: String(error)}
  const {message = '', oclif, code} = error as {message?: string; oclif?: {exit?: number}; code?: string}
  return {message, ...(oclif ? {oclif} : {}), ...(typeof code === 'string' ? {code} : {})}
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

/** oclif's words on one line, without its headline and its "See more help with --help": our hint says the same. */
const withoutHelpLine = (message: string): string =>
  message
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !/^(See more help with|The following errors? occurred:)/.test(line))
    .join(' ')
