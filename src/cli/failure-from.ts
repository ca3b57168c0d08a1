import {Failure} from '../errors/failure.ts'
import {meantName} from '../errors/nearest-name.ts'
import {isSecretName} from '../sensitive/secret-names.ts'

/** What the message of a usage error says about the command. */
interface CommandFacts {
  /** As a person types it: `cards get`. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, FlagFacts>>
}

interface FlagFacts {
  readonly aliases?: readonly string[]
  readonly allowNo?: boolean
  readonly summary?: string
}

/** An argument as its command defines it. */
export interface MissingArgument {
  readonly name: string
  readonly description?: string
  parse?(text: string, context: unknown, options: {name: string}): Promise<unknown>
}

/**
 * An error of oclif's parser. Some kinds say what they are about: RequiredArgsError has the definitions of arguments,
 * UnexpectedArgsError the texts of arguments, NonExistentFlagsError the texts of flags. oclif doesn't export the classes.
 */
interface UsageError {
  readonly message: string
  readonly args?: unknown
  readonly flags?: unknown
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string')

/** The required arguments that a command line lacks, if that is what the error is about. */
export function missingArguments(error: unknown): readonly MissingArgument[] {
  const args = error instanceof Error && 'args' in error ? error.args : undefined
  return Array.isArray(args) && !isTexts(args) ? (args as MissingArgument[]) : []
}

/**
 * The message for a usage error: what is missing or unknown, and what was probably meant. It quotes no values of the
 * command line, because a value in the wrong place may be a PIN or a token.
 */
function usageMessage(error: UsageError, command: CommandFacts): string {
  const missing = missingArguments(error)
  if (missing.length > 0) return missingMessage(missing)
  if (isTexts(error.args)) return tooManyArguments(error.args, command)
  if (isTexts(error.flags)) return unknownFlags(error.flags, command)
  // The other kinds have only a text.
  return (
    withoutValues(error.message)
      .split('\n')
      .map(line => line.trim())
      // Our hint says the same.
      .filter(line => line !== '' && !/^(See more help with|The following errors? occurred:)/.test(line))
      .map(line => sentence(line, command))
      .join(' ')
  )
}

/** Greedy: if a value contains the words that end it, this removes too much rather than too little. */
function withoutValues(message: string): string {
  return message
    .replace(COLOUR, '')
    .replace(/^Parsing (--[\w-]+) \n\t/, '$1: ')
    .replace(/^Expected (--[\w-]+)=(.*) to be one of: (.*)/, notOneOf)
    .replace(/(--[\w-]+)=.* cannot also be provided when using --[\w-]+/s, notBoth)
    .replace(/ but received: .*/s, '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
const COLOUR = /\u001b\[[\d;]*m/g

function notOneOf(_: string, flag: string, value: string, known: string): string {
  return `${flag} must be one of ${known}.${question(meantName(value, known.split(', ')))}`
}

/** oclif reports flags that exclude each other twice, each time with their values. */
function notBoth(lines: string, flag: string): string {
  const others = [...lines.matchAll(/ cannot also be provided when using (--[\w-]+)/g)].map(
    ([, other]) => other,
  )
  return `${flag} cannot also be provided when using ${others.find(other => other !== flag)}`
}

/** A line of oclif as a sentence. */
function sentence(line: string, {flags}: CommandFacts): string {
  const [, missing] = /^Missing required flag ([\w-]+)$/.exec(line) ?? []
  if (missing !== undefined) return `--${missing} is missing${inBrackets(flags[missing]?.summary)}.`
  const whole = line.replace(
    /^All of the following must be provided when using (--\S+): (.*)$/,
    '$1 needs $2',
  )
  return /[.?]$/.test(whole) ? whole : `${whole}.`
}

function missingMessage(missing: readonly MissingArgument[]): string {
  const named = missing.map(({name, description}) => name.toUpperCase() + inBrackets(description))
  return named.length === 1
    ? `The argument ${named[0]} is missing.`
    : `The arguments ${named.slice(0, -1).join(', ')} and ${named.at(-1)} are missing.`
}

const inBrackets = (text: string | undefined): string =>
  text === undefined ? '' : ` (${text.replace(/\.$/, '')})`

function tooManyArguments(extra: readonly string[], {name, args}: CommandFacts): string {
  const names = Object.keys(args).map(arg => arg.toUpperCase())
  const takes = names.length === 0 ? 'no arguments' : `no more than ${names.join(' ')}`
  return `${name} takes ${takes}: there ${extra.length === 1 ? 'is one argument' : `are ${extra.length} arguments`} too many.`
}

function unknownFlags(given: readonly string[], {flags}: CommandFacts): string {
  const known = Object.entries(flags).flatMap(([name, {aliases = [], allowNo}]) =>
    [name, ...aliases, ...(allowNo ? [`no-${name}`] : [])].map(each => `--${each}`),
  )
  const words = given.flatMap(text => {
    const name = /^(--[a-z][a-z-]*|-[a-z])/i.exec(text)?.[0]
    if (name === undefined) return []
    const meant = name.startsWith('--') ? meantName(name, known) : undefined
    const seen = isSecretName(name) ? ` ${IN_HISTORY}` : ''
    return [`There is no flag ${name}.${question(meant)}${seen}`]
  })
  return words.length === 0 ? 'There is no such flag.' : words.join(' ')
}

const IN_HISTORY =
  "If you passed a value with it, your shell's history has it now: remove it there, and change it if it is real. Secrets are read from a hidden prompt or stdin."

const question = (meant: string | undefined): string => (meant === undefined ? '' : ` Did you mean ${meant}?`)

/** Turns whatever was thrown into a Failure. What is neither a Failure nor a usage error is a defect of cardctl. */
export function failureFrom(error: unknown, command: CommandFacts = NO_COMMAND): Failure {
  // oclif adds text to the message of what a flag's parser throws.
  if (error instanceof Failure) return error.message === error.details.message ? error : error.with({})
  const {message, oclif, code} = describe(error)
  if (oclif?.exit !== undefined) {
    return new Failure('USAGE', {message: usageMessage(error as UsageError, command), cause: error})
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
