import {readFileSync} from 'node:fs'
import {ROOT} from '../package-files.ts'

/** What the value of a flag is. Text, if nothing says more. */
export type ValueType = 'integer' | 'duration' | 'id' | 'currency' | 'moment'

/** What help, completion and the generated pages know about the commands. */
export interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>
}
export interface ManifestCommand {
  readonly id: string
  readonly hidden?: boolean
  readonly summary?: string
  readonly description?: string
  readonly examples?: readonly Example[]
  readonly args: Readonly<Record<string, ManifestArgument>>
  readonly flags: Readonly<Record<string, ManifestFlag>>
  /** Ids of the operations that the command sends. */
  readonly claims?: readonly string[]
  /** The command whose operations it sends, if it claims none. */
  readonly sendsAs?: readonly string[]
  /** Values of which it needs one, although none is required by itself. */
  readonly needs?: readonly NeededValues[]
  /** What it reads from stdin, where nobody is asked, if that is a secret. */
  readonly secretInput?: string
}

/** Of which at least one is needed: arguments as in the code, flags as they are typed. */
export interface NeededValues {
  readonly anyOf: readonly string[]
  /** No second one may be given. */
  readonly only?: boolean
  /** Only with some other values. */
  readonly sometimes?: boolean
}
export type Example = string | {readonly description: string; readonly command: string}
export interface ManifestArgument {
  readonly name: string
  readonly description?: string
  readonly required?: boolean
  readonly multiple?: boolean
  readonly options?: readonly string[]
}
export interface ManifestFlag {
  readonly name: string
  readonly char?: string
  readonly summary?: string
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly options?: readonly string[]
  /** Values that completion offers; others may be allowed, too. */
  readonly values?: readonly string[]
  readonly type: 'boolean' | 'option'
  /** What the value of an option is; text if absent. */
  readonly valueType?: ValueType
  readonly allowNo?: boolean
  readonly hidden?: boolean
  readonly required?: boolean
  readonly multiple?: boolean
  readonly default?: unknown
  /** The field of the body that it sets. */
  readonly sets?: string
  readonly exclusive?: readonly unknown[]
  readonly dependsOn?: readonly string[]
}

/** oclif.manifest.json: the flags of every command stand there once. */
export interface StoredManifest extends Manifest {
  readonly globalFlags: ManifestCommand['flags']
}

/** In the order of their ids. */
export function readManifest(): Manifest {
  const {globalFlags, commands} = JSON.parse(
    readFileSync(`${ROOT}oclif.manifest.json`, 'utf8'),
  ) as StoredManifest
  const whole = Object.entries(commands).map(
    ([id, command]) => [id, {...command, flags: {...command.flags, ...globalFlags}}] as const,
  )
  return {commands: Object.fromEntries(whole)}
}

/** As a user types it. */
export const nameOf = ({id}: Pick<ManifestCommand, 'id'>): string => id.replaceAll(':', ' ')

/** `ID [PROPERTY]`, for the usage line. */
export const argumentsOf = ({args}: Pick<ManifestCommand, 'args'>): string =>
  Object.values(args)
    .map(({name, required, multiple}) => {
      const shown = `${name.toUpperCase()}${multiple ? '...' : ''}`
      return required ? shown : `[${shown}]`
    })
    .join(' ')

/** The examples with their descriptions, if they have any. */
export const examplesOf = ({examples = []}: Pick<ManifestCommand, 'examples'>) =>
  examples.map(example => {
    const {description = '', command} =
      typeof example === 'string' ? {description: '', command: example} : example
    return {description: withProgram(description), line: withProgram(command)}
  })

const withProgram = (text: string): string => text.replaceAll('<%= config.bin %>', 'cardctl')

/** `-o, --output table|json`. */
export function flagName(flag: ManifestFlag): string {
  const {name, char, type, allowNo} = flag
  const long = allowNo ? `--[no-]${name}` : `--${name}`
  return `${char ? `-${char}, ` : ''}${long}${type === 'boolean' ? '' : ` ${valueName(flag)}`}`
}

const LONGEST_OPTIONS = 30

function valueName({options, helpValue}: ManifestFlag): string {
  const joined = options?.join('|')
  return joined !== undefined && joined.length <= LONGEST_OPTIONS ? joined : (helpValue ?? 'VALUE')
}

/** The summary, with what it leaves out: whether the flag is required, its values, its default. */
export function flagMeaning(flag: ManifestFlag): string {
  const {summary = '', required, default: preset, options} = flag
  const isPlain = ['string', 'number'].includes(typeof preset)
  const isNamed = options === undefined || flagName(flag).endsWith(options.join('|'))
  return [
    summary,
    required ? 'Required.' : '',
    isNamed ? '' : `One of ${options.join(', ')}.`,
    isPlain && !summary.includes('efault') ? `Default: ${String(preset)}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
