import {operations} from '../../contract/operations.gen.ts'
import {errorRegistry} from '../../errors/registry.ts'
import {gate} from '../../profiles/gate.ts'
import {COMMAND_EFFECTS, CONFIRMS} from '../command-effects.ts'
import {generalVariables} from '../environment.ts'
import {
  argumentsOf,
  examplesOf,
  type Manifest,
  type ManifestCommand,
  type ManifestFlag,
  type NeededValues,
  nameOf,
  type ValueType,
} from './manifest.ts'

/**
 * What a command may do, on any of its paths. `local` changes only files of this machine, `money` is a write whose request
 * has amounts of money, and `any` sends what its input or an imported contract says.
 */
export type CommandEffect = 'read' | 'local' | 'write' | 'destroy' | 'disclose' | 'money' | 'any'

/** The whole tool as data: what `cardctl help -o json` prints. */
export interface ToolData {
  readonly name: string
  readonly version: string
  /** Flags of every command. */
  readonly globalFlags: readonly FlagData[]
  readonly commands: readonly CommandData[]
  readonly errors: readonly ErrorData[]
}

/** One command: what `cardctl help COMMAND -o json` prints. */
export interface CommandData {
  /** As typed, without the program: `cards get`. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly usage: string
  readonly effects: readonly CommandEffect[]
  /** Ids of the operations of the contract that it sends. */
  readonly operations: readonly string[]
  readonly arguments: readonly ArgumentData[]
  /** Without the global ones. */
  readonly flags: readonly FlagData[]
  /** Groups of arguments and flags of which one must be given, although none of them is `required`. */
  readonly needs?: readonly NeedData[]
  /**
   * Whether it asks before it acts; `--yes`, or `--confirm` if it has that flag, answers where a flag may. `always`: on every
   * profile; `live`: on live profiles, elsewhere by its input; `sometimes`: by its input or its flags.
   */
  readonly confirms?: 'always' | 'live' | 'sometimes'
  /** A secret that it reads from a hidden prompt, or from stdin where nobody can be asked. */
  readonly secretInput?: string
  /** JSON pointers into the body of a request, to members that hold secrets. */
  readonly secretFields: readonly string[]
  readonly examples: readonly {readonly description?: string; readonly line: string}[]
}

export interface NeedData {
  /** As in `arguments` and `flags`. */
  readonly anyOf: readonly string[]
  /** A second one of them is refused. */
  readonly exactlyOne: boolean
  /** Only with some other values. */
  readonly sometimes: boolean
}

export interface ArgumentData {
  readonly name: string
  readonly summary?: string
  /** The values that it takes; any text if absent. */
  readonly options?: readonly string[]
  readonly required: boolean
  readonly repeatable: boolean
}

export interface FlagData {
  /** With its hyphens: `--output`. */
  readonly name: string
  /** With its hyphen: `-o`. */
  readonly short?: string
  readonly summary: string
  /** `boolean` takes no value; `choice` takes one of `options`. */
  readonly type: 'boolean' | 'choice' | 'text' | ValueType
  readonly options?: readonly string[]
  /** Values that are known; others may be accepted, too. */
  readonly knownValues?: readonly string[]
  readonly placeholder?: string
  readonly default?: string | number | boolean
  /** Where the value comes from by default, in words. */
  readonly defaultFrom?: string
  /** The environment variable that gives it. */
  readonly variable?: string
  readonly required: boolean
  readonly repeatable: boolean
  /** Whether `--no-NAME` turns it off. */
  readonly negatable: boolean
  readonly excludes?: readonly string[]
  /** The field of the body that it sets, which `--field` and `--raw-field` then don't. */
  readonly sets?: string
  /** Flags that must be given with it. */
  readonly needs?: readonly string[]
  /** `stdin`: read from stdin or a hidden prompt. `reference`: env:NAME, file:PATH or cmd:COMMAND, never the value. */
  readonly secret?: 'stdin' | 'reference'
}

export interface ErrorData {
  readonly code: string
  readonly exit: number
  readonly meaning: string
}

/** Everything that the tool has, from the manifest that also help and completion read. */
export function toolData({commands}: Manifest, {name, version}: {name: string; version: string}): ToolData {
  const shown = Object.values(commands).filter(({hidden}) => !hidden)
  const [first] = shown
  return {
    name,
    version,
    globalFlags: Object.values(first?.flags ?? {})
      .filter(isGlobal)
      .map(flag => flagData(flag, first?.flags ?? {})),
    commands: shown.map(command => commandData(command, commands)),
    errors: Object.entries(errorRegistry).map(([code, {exit, summary}]) => ({code, exit, meaning: summary})),
  }
}

export function commandData(command: ManifestCommand, commands: Manifest['commands']): CommandData {
  const claims = claimsOf(command, commands)
  const {summary = '', description} = command
  return {
    name: nameOf(command),
    summary,
    ...(description === undefined ? {} : {description}),
    usage: ['cardctl', nameOf(command), argumentsOf(command), '[FLAGS]'].filter(Boolean).join(' '),
    effects: effectsOf(command, claims),
    operations: claims,
    arguments: Object.values(command.args).map(({name, description: about, options, required, multiple}) => ({
      name: name.toUpperCase(),
      ...(about === undefined ? {} : {summary: about}),
      ...(options === undefined ? {} : {options}),
      required: required === true,
      repeatable: multiple === true,
    })),
    flags: Object.values(command.flags)
      .filter(flag => !flag.hidden && !isGlobal(flag))
      .map(flag => flagData(flag, command.flags)),
    ...(command.needs === undefined ? {} : {needs: command.needs.map(needData)}),
    ...confirmsOf(command, claims),
    ...(command.secretInput === undefined ? {} : {secretInput: command.secretInput}),
    secretFields: [...new Set(claims.flatMap(id => operations[id].sensitive.request))],
    examples: examplesOf(command).map(({description: about, line}) => ({
      ...(about === '' ? {} : {description: about}),
      line,
    })),
  }
}

type OperationId = keyof typeof operations

const isOperation = (id: string): id is OperationId => Object.hasOwn(operations, id)

function claimsOf(
  {claims, sendsAs}: ManifestCommand,
  commands: Manifest['commands'],
): readonly OperationId[] {
  return (claims ?? (sendsAs && commands[sendsAs.join(':')]?.claims) ?? []).filter(isOperation)
}

/** They take what they plan, and write it to a file. */
const PLANS: ReadonlySet<string> = new Set(['a2a:plan', 'bulk:plan'])

/** Every effect of the operations that it sends; of a command without any, what the list of such commands says. */
function effectsOf({id, flags}: ManifestCommand, claims: readonly OperationId[]): readonly CommandEffect[] {
  if (PLANS.has(id)) return ['local']
  const listed = (['read', 'local', 'write'] as const).find(effect => COMMAND_EFFECTS[effect].includes(id))
  if (listed !== undefined) return [listed]
  if (claims.length === 0) return ['note' in flags ? 'any' : 'read']
  const sent = claims.map(each => operations[each])
  const effects = new Set<CommandEffect>(sent.map(({effect}) => effect))
  if (sent.some(each => 'amounts' in each)) effects.add('money')
  return [...effects]
}

const isGlobal = ({helpGroup}: ManifestFlag): boolean => helpGroup === 'GLOBAL'

const needData = ({anyOf, only = false, sometimes = false}: NeededValues): NeedData => ({
  anyOf: anyOf.map(name => (name.startsWith('--') ? name : name.toUpperCase())),
  exactlyOne: only,
  sometimes,
})

const PLACES = {
  live: {name: 'live', kind: 'live', readOnly: false},
  sandbox: {name: 'sandbox', kind: 'sandbox', readOnly: false},
} as const

/** As the gate demands it of the operations; else as the command itself asks. */
function confirmsOf(
  {id}: ManifestCommand,
  claims: readonly OperationId[],
): {readonly confirms?: 'always' | 'live' | 'sometimes'} {
  const asks = (place: keyof typeof PLACES, claim: OperationId) =>
    (operations[claim].group !== 'sandbox' || place === 'sandbox') &&
    gate(PLACES[place], operations[claim], {allowV2: true, explicit: true}).length > 0
  if (CONFIRMS.always.includes(id)) return {confirms: 'always'}
  if (!PLANS.has(id) && claims.length > 0) {
    if (claims.every(claim => asks('sandbox', claim))) return {confirms: 'always'}
    if (claims.some(claim => asks('live', claim))) return {confirms: 'live'}
  }
  return CONFIRMS.sometimes.includes(id) ? {confirms: 'sometimes'} : {}
}

/** `(default 10m)`, `(default: the profile)` */
const DEFAULT = /\(default:? ([^()]+)\)/

/** @returns a value that could be typed, or where it comes from. */
function presetOf({
  default: own,
  summary = '',
  options,
  type,
}: ManifestFlag): Pick<FlagData, 'default' | 'defaultFrom'> {
  if (typeof own === 'string' || typeof own === 'number') return {default: own}
  if (type === 'boolean' && /\(default\)|\bOn by default\./.test(summary)) return {default: true}
  // `per-call: one process for each call (default).`
  const chosen = options?.find(option => new RegExp(`\\b${option}: [^.;]*\\(default\\)`).test(summary))
  if (chosen !== undefined) return {default: chosen}
  const [, all] = DEFAULT.exec(summary) ?? / by default (.+)\.$/.exec(summary) ?? []
  if (all === undefined) return {}
  // The rest says when, or up to what.
  const [said = ''] = all.split(', ')
  const isValue = options?.includes(said) ?? /^(?:\d+[a-z%]*|[a-z][a-z.-]*|\{\w+\}\S*)$/.test(said)
  return isValue ? {default: /^\d+$/.test(said) ? Number(said) : said} : {defaultFrom: all}
}

/** @param there the flags of its command. A flag that several commands share may exclude what one of them lacks. */
function flagData(flag: ManifestFlag, there: ManifestCommand['flags']): FlagData {
  const {name, char, summary = '', options, values, helpValue, sets, dependsOn = []} = flag
  const others = Object.values(there).filter(({exclusive = []}) => exclusive.includes(name))
  const excluded = [...new Set([...(flag.exclusive ?? []), ...others.map(other => other.name)])].filter(
    each => typeof each === 'string' && Object.hasOwn(there, each),
  )
  const variable = generalVariables.find(each => each.flag === name)?.name
  const secret = secretOf(flag)
  return {
    name: `--${name}`,
    ...(char === undefined ? {} : {short: `-${char}`}),
    summary,
    type: flag.type === 'boolean' ? 'boolean' : options === undefined ? (flag.valueType ?? 'text') : 'choice',
    ...(options === undefined ? {} : {options}),
    ...(values === undefined ? {} : {knownValues: values}),
    ...(helpValue === undefined ? {} : {placeholder: helpValue}),
    ...presetOf(flag),
    ...(variable === undefined ? {} : {variable}),
    required: flag.required === true,
    repeatable: flag.multiple === true,
    negatable: flag.allowNo === true,
    ...(excluded.length === 0 ? {} : {excludes: excluded.map(each => `--${each}`)}),
    ...(sets === undefined ? {} : {sets}),
    ...(dependsOn.length === 0 ? {} : {needs: dependsOn.map(each => `--${each}`)}),
    ...(secret === undefined ? {} : {secret}),
  }
}

function secretOf({name, helpValue = ''}: ManifestFlag): FlagData['secret'] {
  if (/^card-number$|-stdin$/.test(name)) return 'stdin'
  return /env:NAME|\bREF\b/.test(helpValue) ? 'reference' : undefined
}
