import type {Config} from '@oclif/core/config'
import * as Flags from '@oclif/core/flags'
import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {readStdin} from '../../../cli/read-secret.ts'
import {readText} from '../../../cli/read-text.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {proveWritable, writeNamedFile} from '../../../files/named-output.ts'
import {type ContractMap, fieldNames, type MappedName, mapContract} from '../../../imported/index.ts'
import {readDocumentFile} from '../../../input/read-document-file.ts'
import {LIMITS} from '../../../limits/limits.ts'
import {EMBEDDED_PROFILE, type ProfileChanges, putAt, type StoredProfile} from '../../../profiles/index.ts'
import {onlyImported, withoutControls} from './compare-contracts.ts'
import {contractMapView, titleOf} from './map-view.ts'
import {answersToFill, type NameAnswers, NO_ANSWERS, readAnswers} from './name-answers.ts'
import {ownContract, readContract} from './read-contract.ts'

export const mapFlags = {
  answers: Flags.string({
    helpValue: 'FILE|-',
    summary:
      'Names to use, as JSON or YAML: {"words": {"pinBlock": "pin_block"}, "prefixes": {"cards": "/card"}}.',
  }),
  'write-answers': Flags.string({
    helpValue: 'FILE',
    summary: 'Write a file for --answers: sure names filled in, unsure ones open. Changes no profile.',
    exclusive: ['answers', 'dry-run'],
  }),
  'write-dialect': Flags.string({
    helpValue: 'FILE',
    summary:
      'Write a draft of a dialect: a new file that says how the service carries out our operations. Changes no profile.',
    exclusive: ['answers', 'write-answers', 'dry-run'],
  }),
  'dry-run': Flags.boolean({summary: 'Show the names and write nothing.'}),
}

type MapFlags = FlagValues<typeof mapFlags>

/** The names of a document for the words of the built-in contract, and what was done with them. */
export interface MappedContract extends ContractMap {
  readonly profile: string
  readonly contract: string
  /** The names that the profile gets, or would get without --dry-run. */
  readonly changes: NameAnswers
  readonly written: boolean
}

/**
 * Stores in the profile what a document calls the words and paths of the built-in contract. Asks for uncertain names on
 * a terminal; elsewhere takes them from `--answers`. Stores nothing while a name is undecided.
 *
 * @throws Failure USAGE for an undecided name; INPUT_INVALID for invalid answers.
 */
export async function mapNames(
  context: Context,
  config: Config,
  contract: string | undefined,
  flags: MapFlags,
): Promise<MappedContract> {
  const {printer, interactive, outputOptions} = context
  const {profiles} = context.service
  const {'dry-run': dryRun = false, 'write-answers': toFill} = flags
  const {name: profile, profile: stored} = await context.service.chosen()
  if (!dryRun && toFill === undefined) await profiles.checkEdit(profile, {})
  if (toFill !== undefined) await proveWritable(toFill)
  const given = contract ?? (await onlyImported(context))
  const own = withoutControls(await ownContract(config)).document
  const answers = await answersOf(context, flags.answers, given, fieldNames(own))
  const theirs = await readContract(context, given)
  const map = await context.surroundings.abandonably(async () =>
    mapContract(own, withoutControls(theirs).document, {
      words: stored.words,
      prefixes: Object.fromEntries(
        Object.entries(stored.groups).map(([group, {prefix = ''}]) => [group, prefix]),
      ),
      service: serviceValues(stored.service),
    }),
  )
  const result = (decided: NameAnswers, written: boolean): MappedContract => ({
    profile,
    contract: theirs.name,
    ...map,
    changes: changesOf(map.names, decided),
    written,
  })
  const isShownFirst = interactive && outputOptions.format === 'table'
  const first = result(answers, false)
  if (toFill !== undefined) {
    await writeNamedFile(toFill, [answersToFill(map.names, theirs.name)])
    await printer.data(first, contractMapView)
    printer.note(
      `Fill in ${toFill}, then: ${context.commandLine('contract', 'map', {value: given}, '--answers', {value: toFill})}`,
    )
    return first
  }
  const open = map.names.filter(one => one.standing === 'unsure' && answerOf(one, answers) === undefined)
  if (dryRun || (open.length > 0 && !interactive)) {
    await printer.data(first, contractMapView)
    if (!dryRun) throw undecided(context, given, open)
    // Also reports mistakes in the answers. The embedded sandbox has no words to set.
    if (profile !== EMBEDDED_PROFILE)
      await profiles.checkEdit(profile, profileChanges(map.names, first.changes, theirs.name))
    return first
  }
  if (isShownFirst) await printer.data(first, contractMapView)
  const decided = await askFor(context, open, answers)
  const planned = result(decided, false)
  const changes = profileChanges(map.names, planned.changes, theirs.name)
  const count = Object.values(planned.changes).flatMap(part => Object.keys(part)).length
  if (count > 0) {
    await profiles.checkEdit(profile, changes)
    if (interactive) {
      await confirm(context, {
        place: {name: profile, kind: stored.kind, baseUrl: stored.baseUrl, embedded: false},
        action: `write ${count} ${count === 1 ? 'name' : 'names'} to the profile`,
        consequence: 'From then on every command with this profile sends and reads them.',
      })
    }
    await profiles.edit(profile, changes)
  }
  const done = {...planned, written: count > 0}
  if (!isShownFirst) await printer.data(done, contractMapView)
  printer.note(
    count === 0
      ? `Nothing to write: the profile ${profile} has these names.`
      : `The profile ${profile} has ${count} new ${count === 1 ? 'name' : 'names'}. See them: ${cardctl('profiles', 'show', {value: profile})}`,
  )
  return done
}

async function answersOf(
  context: Context,
  file: string | undefined,
  contract: string,
  taken: ReadonlySet<string>,
): Promise<NameAnswers> {
  if (file === undefined) return NO_ANSWERS
  const {surroundings} = context
  if (file !== '-')
    return readAnswers(await readDocumentFile(file, LIMITS.body.bytes, {orStdin: true}), file, taken)
  if (contract === '-') {
    throw new Failure('USAGE', {
      message: 'The document and the answers cannot both come from stdin.',
      effect: 'none',
    })
  }
  return readAnswers(await readText(readStdin(surroundings, 'the answers'), 'stdin'), 'stdin', taken)
}

const PART = {word: 'words', prefix: 'prefixes', service: 'service'} as const
const partOf = ({kind}: MappedName): keyof NameAnswers => PART[kind]

/** What a profile says of how the service talks, by dotted name, as far as a document can show it. */
function serviceValues(service: StoredProfile['service']): Record<string, string> {
  const {envelope, error = {}, headers = {}} = service ?? {}
  const inside = (name: string, values: Readonly<Record<string, string | undefined>>) =>
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[`${name}.${key}`, value] as const],
    )
  return Object.fromEntries([
    ...(envelope === undefined ? [] : [['envelope', envelope] as const]),
    ...inside('error', error),
    ...inside('headers', headers),
  ])
}

function answerOf(one: MappedName, answers: NameAnswers): string | undefined {
  const part = answers[partOf(one)]
  return Object.hasOwn(part, one.name) ? part[one.name] : undefined
}

/** The changes for the profile. An answer overrides a name that seems sure. */
function changesOf(names: readonly MappedName[], answers: NameAnswers): NameAnswers {
  const of = (kind: MappedName['kind']): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((one): [string, string][] => {
        if (one.kind !== kind) return []
        const name = answerOf(one, answers) ?? (one.standing === 'sure' ? one.theirs : undefined)
        return name === undefined || name === null || name === one.current ? [] : [[one.name, name]]
      }),
    )
  // A group or a setting that the document doesn't describe has no entry of its own.
  const others = (kind: MappedName['kind']): Record<string, string> =>
    Object.fromEntries(
      Object.entries(answers[PART[kind]]).filter(
        ([name]) => !names.some(one => one.kind === kind && one.name === name),
      ),
    )
  return {
    words: of('word'),
    prefixes: {...of('prefix'), ...others('prefix')},
    service: {...of('service'), ...others('service')},
  }
}

/** A word equal to the built-in one, or an empty prefix, deletes the setting. */
function profileChanges(
  names: readonly MappedName[],
  {words, prefixes, service}: NameAnswers,
  document: string,
): ProfileChanges {
  const talk: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(service)) {
    // The name of a header has dots of its own.
    const [first = '', ...rest] = name.split('.')
    if (value !== '') putAt(talk, rest.length === 0 ? [first] : [first, rest.join('.')], value)
  }
  const own = Object.entries(words).filter(([word, name]) => name !== word)
  const set = Object.entries(prefixes).filter(([, prefix]) => prefix !== '')
  const found = Object.fromEntries(
    [
      ...own.map(([word]) => `words.${word}`),
      ...set.map(([group]) => `groups.${group}.prefix`),
      ...Object.keys(service).flatMap(name => (service[name] === '' ? [] : [`service.${name}`])),
    ].map(name => [name, document]),
  )
  return {
    set: {
      ...(own.length === 0 ? {} : {words: Object.fromEntries(own)}),
      ...(Object.keys(found).length === 0 ? {} : {service: {...talk, found}}),
      ...(set.length === 0
        ? {}
        : {groups: Object.fromEntries(set.map(([group, prefix]) => [group, {prefix}]))}),
    },
    unset: names.flatMap(({kind, name}) => {
      if (kind === 'word') return words[name] === name ? [`words.${name}`] : []
      if (kind === 'service') return service[name] === '' ? [`service.${name}`] : []
      return prefixes[name] === '' ? [`groups.${name}.prefix`] : []
    }),
  }
}

async function askFor(
  {prompter}: Context,
  open: readonly MappedName[],
  answers: NameAnswers,
): Promise<NameAnswers> {
  const words = {...answers.words}
  const prefixes = {...answers.prefixes}
  const service = {...answers.service}
  for (const {kind, name, candidates, current, why} of open) {
    const none = kind === 'prefix' ? 'no prefix' : 'not set'
    const leave = current === '' ? `leave it as it is: ${none}` : `leave it as it is: ${current}`
    const choices = [
      ...candidates.filter(one => one !== current).map(one => ({value: one, name: one || none})),
      {value: current, name: leave},
    ]
    const what =
      kind === 'word'
        ? `What does the service call ${name}?`
        : kind === 'prefix'
          ? `Which prefix do the paths of ${name} have?`
          : `What is ${titleOf(name)} of the service?`
    const answer = await prompter.choose(`${what} (${why})`, choices)
    if (kind === 'word') words[name] = answer
    else if (kind === 'prefix') prefixes[name] = answer
    else service[name] = answer
  }
  return {words, prefixes, service}
}

function undecided(context: Context, contract: string, open: readonly MappedName[]): Failure {
  const names = open
    .map(({kind, name}) =>
      kind === 'prefix' ? `the prefix of ${name}` : kind === 'word' ? name : titleOf(name),
    )
    .join(', ')
  const file = 'answers.yaml'
  return new Failure('USAGE', {
    message: `${open.length === 1 ? 'One name is' : `${open.length} names are`} unsure: ${names}. Nothing was written.`,
    hint: advice`Write a file to fill in with ${context.commandLine('contract', 'map', {value: contract}, '--write-answers', file)}, then add --answers ${file}.`,
    effect: 'none',
  })
}
