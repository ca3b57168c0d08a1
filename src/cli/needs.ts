import {Failure} from '../errors/failure.ts'

/** An argument or flag as oclif defines it, as far as questions need it. */
export interface Definition {
  readonly description?: string
  readonly summary?: string
  readonly type?: 'boolean' | 'option'
  readonly allowNo?: boolean
  readonly required?: boolean
  readonly multiple?: boolean
  readonly options?: readonly string[]
  readonly helpValue?: string | readonly string[]
  readonly helpGroup?: string
  readonly hidden?: boolean
  readonly exclusive?: readonly unknown[]
  readonly dependsOn?: readonly unknown[]
  parse?(text: string, context: unknown, options: unknown): Promise<unknown>
}

export interface DefinedValues {
  readonly args: Readonly<Record<string, Definition>>
  readonly flags: Readonly<Record<string, Definition>>
}

/**
 * Values of which a command needs at least one, where no single one is required. An argument is named as in the code
 * (`id`), a flag as it is typed (`--customer`).
 */
export interface Need {
  /** These are offered on a terminal. */
  readonly anyOf: readonly string[]
  /** These are enough, too, but are not offered. */
  readonly or?: readonly string[]
  /** Whether several of them make sense together, such as the fields to change. */
  readonly several?: boolean
  /** Whether no second one may be given. */
  readonly only?: boolean
  /** Whether it is needed, by the values that were given; always by default. */
  when?(given: Given): boolean
}

/** The values that a command line gives, by the names that a Need uses. Defaults are not among them. */
export type Given = ReadonlyMap<string, unknown>

/** Flags that give a whole body, or a command line that needs none. */
export const BODY = ['--field', '--raw-field', '--data', '--skeleton', '--no-check-input'] as const

/** What oclif's parser returns, as far as it matters here. */
export interface ParsedLine {
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, unknown>>
  readonly metadata: {
    readonly flags: Readonly<Record<string, {readonly setFromDefault?: boolean} | undefined>>
  }
}

export function givenBy({args, flags, metadata}: ParsedLine): Given {
  const given = new Map<string, unknown>()
  for (const [name, value] of Object.entries(args)) if (value !== undefined) given.set(name, value)
  for (const [name, value] of Object.entries(flags))
    if (value !== undefined && metadata.flags[name]?.setFromDefault !== true) given.set(`--${name}`, value)
  return given
}

/** The error for the first need that is not met. */
export function unmetNeed(
  needs: readonly Need[],
  line: ParsedLine,
  definitions: Definitions,
): Failure | undefined {
  const given = givenBy(line)
  const unmet = needs.find(need => isUnmet(need, given))
  return unmet && needFailure(unmet, definitionsOf(definitions))
}

/** @throws Failure USAGE if several are given of which only one may be */
export function refuseSeveral(needs: readonly Need[], line: ParsedLine): void {
  const given = givenBy(line)
  const excess = needs.find(({anyOf, only}) => only && anyOf.filter(name => given.has(name)).length > 1)
  if (excess === undefined) return
  const list = excess.anyOf.map(shown).join(', ')
  throw new Failure('USAGE', {message: `Only one of ${list} may be given.`, effect: 'none'})
}

export const isUnmet = (need: Need, given: Given): boolean =>
  !(need.when && !need.when(given)) && ![...need.anyOf, ...(need.or ?? [])].some(name => given.has(name))

/** What to say where nobody can be asked. */
function needFailure({anyOf, or = [], several = false}: Need, defined: DefinedValues): Failure {
  const names = anyOf.map(shown)
  const [only = ''] = anyOf
  if (several) {
    const more = or.filter(name => name === '--field' || name === '--data')
    const list = [...names, ...more].join(', ')
    return new Failure('USAGE', {message: `At least one of ${list} is needed.`, effect: 'none'})
  }
  if (anyOf.length > 1)
    return new Failure('USAGE', {message: `One of ${names.join(', ')} is needed.`, effect: 'none'})
  const what = only.startsWith('--') ? only : `The argument ${shown(only)}`
  return new Failure('USAGE', {message: `${what} is missing (${labelOf(only, defined)}).`, effect: 'none'})
}

/** As help shows it: `ID`, `--customer`. */
const shown = (name: string): string => (name.startsWith('--') ? name : name.toUpperCase())

/** What help says about an argument or flag, without the full stop. */
export function labelOf(name: string, {args, flags}: DefinedValues): string {
  const {description, summary} = (name.startsWith('--') ? flags[name.slice(2)] : args[name]) ?? {}
  return (summary ?? description ?? name).replace(/\.$/, '')
}

/** The definitions of a parser's input, whatever its types. */
export const definitionsOf = ({args = {}, flags, baseFlags}: Definitions): DefinedValues => ({
  args,
  flags: {...baseFlags, ...flags},
})

export interface Definitions {
  readonly args?: Readonly<Record<string, object>>
  readonly flags?: Readonly<Record<string, object>>
  readonly baseFlags?: Readonly<Record<string, object>>
}

export const noTerminal = (): Failure =>
  new Failure('USAGE', {
    message: '--interactive needs a terminal.',
    hint: 'Leave it out and pass the values as arguments and flags.',
    effect: 'none',
  })
