import {diskFull, isDiskFull} from '../errors/disk-full.ts'
import {Failure} from '../errors/failure.ts'
import {firstError} from '../errors/first-error.ts'
import {meantName} from '../errors/nearest-name.ts'
import {isSecretName} from '../sensitive/secret-names.ts'
import {situationOf} from './help/situations.ts'
import {fieldsCalled, fieldsNear, settersOf, type TypedField} from './typed-field.ts'

/** What the message of a usage error says about the command. */
interface CommandFacts {
  /** As the user types it: `cards get`. */
  readonly name: string
  readonly args: Readonly<Record<string, {readonly description?: string | undefined}>>
  readonly flags: Readonly<Record<string, FlagFacts>>
  /** The flag of these that was probably meant. */
  readonly meantFlag?: (given: string, known: readonly string[]) => string | undefined
  /** The fields that it can send. */
  readonly fields?: readonly TypedField[]
}

interface FlagFacts {
  readonly aliases?: readonly string[]
  readonly allowNo?: boolean
  readonly summary?: string
  readonly required?: boolean
  readonly helpValue?: string | readonly string[]
  /** The only values that it takes. */
  readonly options?: readonly string[]
  /** Flags that it can't be used with, and flags that it needs. */
  readonly exclusive?: readonly unknown[]
  readonly dependsOn?: readonly unknown[]
}

/** An argument as its command defines it. */
export interface MissingArgument {
  readonly name: string
  readonly description?: string
  parse?(text: string, context: unknown, options: {name: string}): Promise<unknown>
}

/** What oclif's parser read: the definitions of the flags, and the values that the command line gives them. */
interface Parsed {
  readonly input: {readonly flags: Readonly<Record<string, FlagFacts>>}
  readonly output: {
    readonly flags: Readonly<Record<string, unknown>>
    readonly metadata?: {readonly flags?: Readonly<Record<string, {readonly setFromDefault?: boolean}>>}
  }
}

/**
 * An error of oclif's parser. Some kinds say what they are about: RequiredArgsError has the definitions of arguments,
 * UnexpectedArgsError the texts of arguments, NonExistentFlagsError the texts of flags, FailedFlagValidationError what
 * was parsed. oclif doesn't export the classes.
 */
interface UsageError {
  readonly message: string
  readonly args?: unknown
  readonly flags?: unknown
  readonly parse?: Partial<Parsed>
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string')

/** The required arguments that a command line lacks, if that is what the error is about. */
export function missingArguments(error: unknown): readonly MissingArgument[] {
  const args = error instanceof Error && 'args' in error ? error.args : undefined
  return Array.isArray(args) && !isTexts(args) ? (args as MissingArgument[]) : []
}

/** Whether nothing is wrong with a command line but that required values are missing. */
export function lacksOnlyValues(error: unknown): boolean {
  if (missingArguments(error).length > 0) return true
  const parsed = error instanceof Error && 'parse' in error ? (error.parse as Partial<Parsed>) : {}
  return missingFlags(parsed).length > 0 && conflictsIn(parsed).length === 0
}

/** Whether the command line has a flag or an argument that the command doesn't know. */
export const isAboutWords = (error: unknown): boolean =>
  error instanceof Error &&
  (('args' in error && isTexts(error.args)) || ('flags' in error && isTexts(error.flags)))

/**
 * The message for a usage error: what is missing or unknown, and what was probably meant. It quotes no values of the
 * command line, because a value in the wrong place may be a PIN or a token.
 */
function usageMessage(error: UsageError, command: CommandFacts): string {
  const missing = missingArguments(error)
  if (missing.length > 0) return missingMessage(missing)
  if (isTexts(error.args)) return tooManyArguments(error.args, command)
  if (isTexts(error.flags)) return unknownFlags(error.flags, command)
  const conflicts = [...conflictsIn(error.parse), ...missingFlags(error.parse)]
  return conflicts.length > 0 ? conflicts.join(' ') : otherMessage(error.message, command)
}

/** The required flags that are missing, each as a sentence. */
function missingFlags({input, output}: Partial<Parsed> = {}): readonly string[] {
  return Object.entries(input?.flags ?? {})
    .filter(([name, {required}]) => required && output?.flags[name] === undefined)
    .map(([name, {summary}]) => `--${name} is missing${inBrackets(summary)}.`)
}

/** What is wrong with the flags taken together: two that exclude each other, one that needs another. */
function conflictsIn({input, output}: Partial<Parsed> = {}): readonly string[] {
  if (!input || !output) return []
  const isGiven = (name: string): boolean => output.flags[name] !== undefined
  const isDefault = (name: string): boolean => output.metadata?.flags?.[name]?.setFromDefault === true
  const excluding = new Map<string, string>()
  const others: string[] = []
  for (const [name, {exclusive = [], dependsOn = []}] of Object.entries(input.flags)) {
    if (!isGiven(name)) continue
    for (const other of exclusive.map(String)) {
      // Two flags may name each other.
      if (isGiven(other) && !isDefault(other) && !isDefault(name) && excluding.get(other) !== name)
        excluding.set(name, other)
    }
    if (dependsOn.some(other => !isGiven(String(other))))
      others.push(`--${name} needs ${dependsOn.map(other => `--${String(other)}`).join(' and ')}.`)
  }
  return [...[...excluding].map(([name, other]) => `--${name} cannot be used with --${other}.`), ...others]
}

/**
 * The other kinds have only a text: a flag that lacks its value or comes twice, and a value that is none of the known
 * ones. Of these only the last quotes the value.
 */
function otherMessage(text: string, {flags}: CommandFacts): string {
  const [, flag = 'The argument', value = '', known = ''] = NOT_ONE_OF.exec(text) ?? []
  if (known !== '') {
    // `-o html`: a flag of its own writes it.
    const own =
      flag === '--output' && Object.hasOwn(flags, value) ? withValue(value, flags[value]) : undefined
    return `${flag} must be one of ${known}.${question(own ?? meantName(value, known.split(', ')))}`
  }
  const [, lacking = ''] = /^Flag --([\w-]+) expects a value$/.exec(firstLine(text)) ?? []
  if (typeof flags[lacking]?.helpValue === 'string')
    return `Flag --${lacking} expects a value: ${withValue(lacking, flags[lacking])}.`
  const line = firstLine(text)
  return /[.?]$/.test(line) ? line : `${line}.`
}

/** Greedy: if a value contains these words, too much counts as the value rather than too little. */
const NOT_ONE_OF = /^Expected (?:(--[\w-]+)=)?(.*) to be one of: ([^\n]*)/s

function missingMessage(missing: readonly MissingArgument[]): string {
  const named = missing.map(({name, description}) => name.toUpperCase() + inBrackets(description))
  return named.length === 1
    ? `The argument ${named[0]} is missing.`
    : `The arguments ${named.slice(0, -1).join(', ')} and ${named.at(-1)} are missing.`
}

const inBrackets = (text: string | undefined): string =>
  text === undefined ? '' : ` (${text.replace(/\.$/, '')})`

/** `--html FILE` */
const withValue = (name: string, {helpValue}: FlagFacts = {}): string =>
  typeof helpValue === 'string' ? `--${name} ${helpValue}` : `--${name}`

function tooManyArguments(extra: readonly string[], command: CommandFacts): string {
  const {name, args, flags} = command
  const fields = extra.flatMap((text, at) => fieldWord(text, extra[at + 1], command))
  if (fields.length > 0) return fields.join(' ')
  const names = Object.keys(args).map(arg => arg.toUpperCase())
  if (names.length === 0) {
    const ids = Object.entries(flags).filter(([, {summary = ''}]) => /^Id of the /.test(summary))
    const required = ids.filter(([, flag]) => flag.required)
    const wanted = (required.length > 0 ? required : ids).map(([flag]) => `--${flag}`)
    return `${name} takes no arguments.${wanted.length === 0 ? '' : ` Pass the id with ${wanted.join(' or ')}.`}`
  }
  return `${name} takes no more than ${names.join(' ')}: there ${extra.length === 1 ? 'is one argument' : `are ${extra.length} arguments`} too many.`
}

/** `externalBalanceCheck true` and `externalBalanceCheck=true` are words where a flag is needed. */
function fieldWord(text: string, next: string | undefined, {fields = []}: CommandFacts): readonly string[] {
  const [name = '', value = next] = text.split(/[=:]/, 2)
  const found = fieldsCalled(name, fields)
  if (found.length === 0) return []
  return [`${name} is a field. Set it with ${settersOf(found, value)}`]
}

function unknownFlags(given: readonly string[], command: CommandFacts): string {
  const {flags, args, meantFlag = meantName, fields = []} = command
  const known = Object.entries(flags).flatMap(([name, {aliases = [], allowNo}]) =>
    [name, ...aliases, ...(allowNo ? [`no-${name}`] : [])].map(each => `--${each}`),
  )
  const words = given.flatMap(text => {
    // A name may end in a digit; more of them may be a value that must not be shown.
    const name = /^(--[a-z][a-z-]*(?:\d(?!\d))?|-[a-z])/i.exec(text)?.[0]
    if (name === undefined) return []
    if (isSecretName(name))
      return [`There is no flag ${name}.${question(readsSecret(name, known))} ${IN_HISTORY}`]
    if (!name.startsWith('--')) return [`There is no flag ${name}.`]
    const arg = argumentCalled(name, args)
    if (arg !== undefined) return [`There is no flag ${name}. Pass ${arg.toUpperCase()} without a flag.`]
    const exact = fieldsCalled(name.slice(2), fields)
    if (exact.length > 0) return [`There is no flag ${name}. ${setsIt(exact)}`]
    const meant = meantFlag(name, known)
    const near = meant === undefined ? fieldsNear(name.slice(2), fields) : []
    if (near.length > 0) return [`There is no flag ${name}. ${setsIt(near)}`]
    const choice = meant === undefined ? flagWithValue(name, flags) : undefined
    if (choice !== undefined) return [`There is no flag ${name}.${question(choice)}`]
    const {lacks, steps = []} = (meant === undefined && situationOf(flagWords(name.slice(2)))) || {}
    if (lacks === undefined) return [`There is no flag ${name}.${question(meant)}`]
    const [first] = steps
    return [
      `There is no flag ${name}. ${lacks}${first === undefined ? '' : ` ${first.does}: cardctl ${first.words}.`}`,
    ]
  })
  return words.length === 0 ? 'There is no such flag.' : words.join(' ')
}

function setsIt(fields: readonly TypedField[]): string {
  const [only, ...others] = fields
  const fits = only !== undefined && others.length === 0 ? `. It takes: ${lowerFirst(only.fits)}` : ''
  return `Set the field with ${settersOf(fields)}${fits}.`
}

const lowerFirst = (text: string): string => `${text[0]?.toLowerCase() ?? ''}${text.slice(1)}`

/** `--last 1111` is about the last four digits. */
const flagWords = (name: string): readonly string[] =>
  (name === 'last' ? ['last four'] : name.split('-')).flatMap(word => word.split(' '))

/** `cards list --expired` is `--status CARD_EXPIRED`. */
function flagWithValue(name: string, flags: CommandFacts['flags']): string | undefined {
  const wanted = name.slice('--'.length).replaceAll('-', '_').toUpperCase()
  const found = Object.entries(flags).flatMap(([flag, {options = []}]) =>
    options.filter(value => value.endsWith(`_${wanted}`)).map(value => `--${flag} ${value}`),
  )
  return found.length === 1 ? found[0] : undefined
}

/** `cards get --id 3001`, `accounts block --account 2001` */
function argumentCalled(flag: string, args: CommandFacts['args']): string | undefined {
  const name = flag.slice('--'.length)
  const found = Object.entries(args).find(([arg, {description = ''}]) => {
    const [, noun = arg] = /^Id of the (\w+)/.exec(description) ?? []
    return [arg, `${arg}-id`, noun, `${noun}-id`, ...(noun === arg ? [] : ['id'])].includes(name)
  })
  return found?.[0]
}

/** Another name would mean another secret: a PIN is no PIN block. */
const readsSecret = (name: string, known: readonly string[]): string | undefined =>
  known.find(each => each === `${name}-stdin`)

const IN_HISTORY =
  "No flag takes a secret. If you typed one, it is in your shell's history now: remove that line (bash: history -d -2, others: cardctl help sensitive-data), and change the secret if it is real. cardctl reads secrets from a hidden prompt or stdin."

const question = (meant: string | undefined): string => (meant === undefined ? '' : ` Did you mean ${meant}?`)

/** Turns any thrown value into a Failure. What is neither a Failure nor a usage error is a defect of cardctl. */
export function failureFrom(thrown: unknown, command: CommandFacts = NO_COMMAND): Failure {
  const error = firstError(thrown)
  // oclif adds text to the message of what a flag's parser throws.
  if (error instanceof Failure) return error.message === error.details.message ? error : error.with({})
  const {message, oclif, code} = describe(error)
  if (oclif?.exit !== undefined) {
    return new Failure('USAGE', {message: usageMessage(error as UsageError, command), cause: error})
  }
  if (isDiskFull(error)) return diskFull(pathOf(error), {cause: error})
  if (code === 'EROFS' || code === 'EACCES') {
    return new Failure('CONFIG_UNREADABLE', {message: firstLine(message), cause: error})
  }
  // The message of an unknown error may quote its input, so only its kind is shown. --debug shows the stack.
  const name = error instanceof Error ? error.name : typeof error
  return new Failure('INTERNAL', {message: `Unexpected ${name}.`, cause: error})
}

const pathOf = (error: unknown): string =>
  error instanceof Error && 'path' in error && typeof error.path === 'string'
    ? error.path
    : 'a file of cardctl'

const NO_COMMAND: CommandFacts = {name: 'cardctl', args: {}, flags: {}}

function describe(error: unknown): {message: string; oclif?: {exit?: number}; code?: string} {
  if (typeof error !== 'object' || error === null) return {message: String(error)}
  const {message = '', oclif, code} = error as {message?: string; oclif?: {exit?: number}; code?: string}
  return {message, ...(oclif ? {oclif} : {}), ...(typeof code === 'string' ? {code} : {})}
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
