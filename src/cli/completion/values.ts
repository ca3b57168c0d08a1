import {idsOf} from '../../contract/resource.ts'
import type {ImportedOperation, ListedTag} from '../../imported/index.ts'
import type {ManifestArgument, ManifestCommand, ManifestFlag} from '../help/manifest.ts'
import {namedBy} from '../named-by.ts'

/** An imported contract, as far as completion reads it. */
export interface ReadContract {
  readonly tags: readonly string[]
  tag(name: string): ListedTag | undefined
  operation(tag: string, name: string): ImportedOperation | undefined
}

/** What a shell may offer for the last word. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  /** The shell completes the name of a file or folder. */
  readonly names?: 'files' | 'folders'
  /** What comes before that name in the word: `@`, `file:` or `--from=`. */
  readonly prefix?: string
}

export interface Candidate {
  readonly value: string
  readonly about?: string
}

/** Ids that were seen lately, the newest first. */
export interface KnownIds {
  readonly requests: readonly string[]
  readonly jobs: readonly string[]
  /** As `card:3004`. */
  readonly resources: readonly string[]
}

export interface KnownValues {
  profiles(): readonly string[]
  /** Of the service that the profile leads to; the profile of the environment if undefined. */
  ids(profile: string | undefined): KnownIds
  /** What `read` takes from the imported contracts of the profile, which are closed afterwards; nothing if they can't be read. */
  fromContracts<T>(
    profile: string | undefined,
    read: (contracts: readonly ReadContract[]) => T | undefined,
  ): T | undefined
}

/** An argument, or a flag that takes a value. */
export type ValueSource = ManifestArgument | ManifestFlag

interface Given {
  /** What is typed of the value. */
  readonly word: string
  /** What comes before the value in the same word, such as `--from=`. */
  readonly prefix: string
  readonly command: ManifestCommand
  readonly profile: string | undefined
  readonly known: KnownValues
  readonly commands: Readonly<Record<string, ManifestCommand>>
}

/** What may be offered for a value: its options, names of profiles, ids, or names of files. Never a secret. */
export function valuesOf(source: ValueSource, given: Given): Completion {
  const listed = 'values' in source ? source.values : undefined
  const options = listed ?? ('options' in source ? source.options : listedIn(source))
  if (options)
    return offered(
      options.map(value => ({value})),
      given,
    )
  const files = filesFor(source, given)
  if (files) return files
  return offered(
    namesFor(source, given).map(value => ({value})),
    given,
  )
}

const offered = (candidates: readonly Candidate[], {prefix}: Given): Completion => ({
  candidates: candidates.map(({value, ...rest}) => ({value: prefix + value, ...rest})),
})

const textOf = (source: ValueSource): string =>
  ('description' in source ? source.description : 'summary' in source ? source.summary : undefined) ?? ''

/** An argument has no options, but its description may list them: `GET, POST, PATCH, PUT or DELETE`. */
function listedIn(source: ValueSource): readonly string[] | undefined {
  const [, list] = /^(?:[A-Z][a-z ]+: )?([\w-]+(?:(?:, | or )[\w-]+)+)$/.exec(textOf(source)) ?? []
  return list?.split(/, | or /)
}

const REFERENCES = ['env:', 'file:', 'cmd:']

function filesFor(source: ValueSource, {word, prefix, command}: Given): Completion | undefined {
  const form = 'helpValue' in source ? (source.helpValue ?? '') : ''
  if (/\bDIR\b/.test(form)) return {candidates: [], names: 'folders', prefix}
  if (/(^|\|)FILE\b/.test(form) || /\b(?:file|document)\b/i.test(withoutFlag(source)))
    return {candidates: [], names: 'files', prefix}
  const [mark] = ['@', 'file:'].filter(each => word.startsWith(each))
  if (mark === '@' && form.includes('@file')) return {candidates: [], names: 'files', prefix: prefix + mark}
  if (mark === 'file:' && form.includes('file:PATH'))
    return {candidates: [], names: 'files', prefix: prefix + mark}
  if (form.includes('@file')) return {candidates: [{value: `${prefix}@`}, {value: `${prefix}-`}]}
  if (form.includes('file:PATH'))
    return {
      candidates: [...REFERENCES, ...(form.endsWith('|-') ? ['-'] : [])].map(each => ({
        value: prefix + each,
      })),
    }
  return command.id === 'bulk:import' ? {candidates: [], names: 'files', prefix} : undefined
}

/** Only arguments say in their description that they are a file; flags say it in their value. */
const withoutFlag = (source: ValueSource): string => ('type' in source ? '' : textOf(source))

function namesFor(source: ValueSource, {command, profile, known, commands}: Given): readonly string[] {
  const named = namedBy(source.name, textOf(source))
  switch (named) {
    case undefined:
      return []
    case 'profile':
      // The name of a new profile is none that exists.
      return command.id === 'profiles:add' ? [] : known.profiles()
    case 'operation':
      return operationsOf(commands)
    case 'resource':
      return known.ids(profile).resources
    case 'request':
      return known.ids(profile).requests
    case 'job':
      return known.ids(profile).jobs
    default:
      return idsOf(named, known.ids(profile).resources)
  }
}

const operationsOf = (commands: Given['commands']): readonly string[] => [
  ...new Set(Object.values(commands).flatMap(({claims = []}) => claims)),
]
