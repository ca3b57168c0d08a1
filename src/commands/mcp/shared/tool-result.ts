import type {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {type ErrorCode, errorRegistry} from '../../../errors/registry.ts'
import {errorJson} from '../../../output/format-error.ts'
import {jsonLine} from '../../../output/styled.ts'

type Members = Readonly<Record<string, unknown>>

/** What a command line said on stderr as JSON. */
export interface Said {
  readonly error?: Members
  readonly warnings: readonly Members[]
  /** Whether a note says that the list isn't whole. */
  readonly isIncomplete: boolean
}

/** Plain lines, such as those of progress, are for people. */
export function saidOn(stderr: string): Said {
  const lines = stderr.split('\n').flatMap(line => memberOf(line))
  const membersOf = (name: string) => lines.flatMap(line => (isObject(line[name]) ? [line[name]] : []))
  const [error] = membersOf('error')
  return {
    ...(error === undefined ? {} : {error}),
    warnings: membersOf('warning').map(shownWarning),
    isIncomplete: membersOf('note').some(({complete}) => complete === false),
  }
}

function memberOf(line: string): readonly Members[] {
  if (!line.startsWith('{')) return []
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? [value] : []
  } catch {
    return []
  }
}

/** The words of a command may quote the service, or a record. They are kept apart from those that can't. */
const apart = (message: unknown, more: Members = {}): Members => ({quoted: {message, ...more}})

/** An error for a caller: `message` is the meaning of its code. */
export function shownError({code, message, problem, ...others}: Members): Members {
  const known = Object.hasOwn(errorRegistry, String(code))
    ? errorRegistry[code as ErrorCode]
    : errorRegistry.INTERNAL
  return {
    code,
    message: `${known.summary}.`,
    ...others,
    ...apart(message, problem === undefined ? {} : {problem}),
  }
}

export const shownWarning = ({message, ...others}: Members): Members => ({...others, ...apart(message)})

/** The same for a failure of the server itself. */
export function errorOf(failure: Failure): Members {
  const {error} = JSON.parse(errorJson(failure)) as {error: Members}
  return shownError(error)
}

/** A result as structured content, and the same as text for clients that read only that. */
export function toolResult(structuredContent: Record<string, unknown>, isError = false) {
  const text = {type: 'text' as const, text: jsonLine(structuredContent)}
  return {content: [text], structuredContent, ...(isError ? {isError} : {})}
}
