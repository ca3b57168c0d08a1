import {areaOf} from '../areas.ts'
import {withCommandFirst} from '../command-first.ts'
import {
  flagMeaning,
  type ManifestArgument,
  type ManifestCommand,
  type ManifestFlag,
} from '../help/manifest.ts'
import {importedAreas, importedCommand, importedOperation, importedWords} from './imported.ts'
import {type Candidate, type Completion, type KnownValues, type ValueSource, valuesOf} from './values.ts'

export interface Facts {
  readonly commands: Readonly<Record<string, ManifestCommand>>
  /** Descriptions of topics by id. */
  readonly topics: Readonly<Record<string, {readonly description: string}>>
  readonly helpTopics: Readonly<Record<string, {readonly summary: string}>>
  /** Profiles and ids. Read on first use only. */
  readonly known: KnownValues
}

const NOTHING: Completion = {candidates: []}

/** Completes the last of the words that follow `cardctl`; it is empty after a space. */
export function complete(words: readonly string[], facts: Facts): Completion {
  const before = words.slice(0, -1)
  const word = words.at(-1) ?? ''
  const {candidates, ...rest} = completionOf(before, word, facts)
  return {...rest, candidates: candidates.filter(({value}) => value.startsWith(word))}
}

function completionOf(typed: readonly string[], word: string, facts: Facts): Completion {
  const {commands, topics} = facts
  const flags = globalFlagsOf(facts)
  const isName = (name: string): boolean => Object.hasOwn(commands, name) || Object.hasOwn(topics, name)
  const given = withCommandFirst(typed, flags, isName)
  const before = areaOf(given[0] ?? '') === undefined ? given : ['x', ...given]
  const ids = before.map((_, at) => before.slice(0, at + 1).join(':'))
  const id = ids.findLast(each => Object.hasOwn(commands, each))
  const command = id === undefined ? undefined : commands[id]
  if (command === undefined) return beforeCommand(before, word, flags, facts)
  const rest = before.slice(command.id.split(':').length)
  if (command.id === 'x') return afterX(command, rest, word, facts)
  if (command.id === 'help' && !word.startsWith('-')) return {candidates: helpWords(rest, facts)}
  return inCommand(command, rest, word, facts)
}

/** The words that continue the name of a command. */
function nextWords(before: readonly string[], {commands, topics}: Facts): Candidate[] {
  const begun = before.map(word => `${word}:`).join('')
  const next = new Map<string, string>()
  for (const command of Object.values(commands)) {
    if (command.hidden || !command.id.startsWith(begun)) continue
    const word = command.id.slice(begun.length).split(':', 1)[0] ?? ''
    const about = command.id === begun + word ? command.summary : topics[begun + word]?.description
    if (!next.has(word)) next.set(word, about ?? '')
  }
  return [...next].map(([value, about]) => ({value, about}))
}

const globalFlagsOf = ({commands}: Facts): ManifestCommand['flags'] => {
  const flags = Object.values(commands).flatMap(command => Object.values(command.flags))
  return Object.fromEntries(
    flags.filter(({helpGroup}) => helpGroup === 'GLOBAL').map(flag => [flag.name, flag]),
  )
}

/** The next word of the command's name, or a global flag or its value. */
function beforeCommand(
  before: readonly string[],
  word: string,
  flags: ManifestCommand['flags'],
  facts: Facts,
): Completion {
  const firstFlag = before.findIndex(each => each.startsWith('-'))
  const [words, rest] =
    firstFlag === -1 ? [before, []] : [before.slice(0, firstFlag), before.slice(firstFlag)]
  const {open, profile} = readLine(Object.values(flags), rest)
  if (!open && !word.startsWith('-')) {
    const areas = words.length === 0 ? facts.known.fromContracts(profile, importedAreas) : undefined
    return {candidates: [...nextWords(words, facts), ...(areas ?? [])]}
  }
  const {candidates, ...names} = inCommand({id: '', args: {}, flags}, rest, word, facts)
  const version = {value: '--version', about: 'Show the version.'}
  return {candidates: [...candidates, ...(before.length === 0 ? [version] : [])], ...names}
}

/** The commands of imported contracts: tag, name, then what the document describes. */
function afterX(x: ManifestCommand, rest: readonly string[], word: string, facts: Facts): Completion {
  const {words, open, isClosed, profile} = readLine(Object.values(x.flags), rest)
  const [tag, name] = words
  if (open || isClosed) return inCommand(x, rest, word, facts)
  const {fromContracts} = facts.known
  if (tag === undefined || name === undefined) {
    if (word.startsWith('-')) return inCommand(x, rest, word, facts)
    return {candidates: fromContracts(profile, contracts => importedWords(contracts, tag)) ?? []}
  }
  const operation = fromContracts(profile, contracts => importedOperation(contracts, tag, name))
  if (operation === undefined) return NOTHING
  const [first, second] = [rest.indexOf(tag), rest.indexOf(name, rest.indexOf(tag) + 1)]
  const after = rest.filter((_, at) => at !== first && at !== second)
  return inCommand(importedCommand(x, operation), after, word, facts)
}

function helpWords(rest: readonly string[], facts: Facts): Candidate[] {
  const topics = Object.entries(facts.helpTopics).map(([value, {summary}]) => ({value, about: summary}))
  return [...nextWords(rest, facts), ...(rest.length === 0 ? topics : [])]
}

function inCommand(
  command: ManifestCommand,
  rest: readonly string[],
  word: string,
  facts: Facts,
): Completion {
  const flags = Object.values(command.flags).filter(({hidden}) => !hidden)
  const {words, used, open, isClosed, profile} = readLine(flags, rest)
  const known = facts.known
  const offer = (source: ValueSource, prefix = ''): Completion =>
    valuesOf(source, {
      word: word.slice(prefix.length),
      prefix,
      command,
      profile,
      known,
      commands: facts.commands,
    })
  if (open) return offer(open)
  const given = isClosed ? null : /^(--[\w-]+=)/.exec(word)
  if (given) {
    const [prefix = ''] = given
    const flag = flags.find(({name}) => prefix === `--${name}=`)
    return flag?.type === 'option' ? offer(flag, prefix) : NOTHING
  }
  if (word.startsWith('-') && !isClosed) return {candidates: flagNames(flags, used, word)}
  const argument = argumentAt(command, words.length)
  // `completion` takes an argument and has commands below it.
  const below = rest.length === 0 ? nextWords(command.id.split(':'), facts) : []
  if (argument) {
    const {candidates, ...names} = offer(argument)
    return {candidates: [...candidates, ...below], ...names}
  }
  return word === '' && !isClosed ? {candidates: flagNames(flags, used, word)} : NOTHING
}

interface Line {
  /** The arguments. */
  readonly words: readonly string[]
  readonly used: ReadonlySet<string>
  /** The flag whose value the word is. */
  readonly open: ManifestFlag | undefined
  /** Whether `--` has ended the flags. */
  readonly isClosed: boolean
  readonly profile: string | undefined
}

function readLine(flags: readonly ManifestFlag[], rest: readonly string[]): Line {
  const used = new Set<string>()
  const words: string[] = []
  let isClosed = false
  let open: ManifestFlag | undefined
  let profile: string | undefined
  for (const word of rest) {
    if (open) {
      if (open.name === 'profile') profile = word
      open = undefined
    } else if (isClosed || word === '-' || !word.startsWith('-')) words.push(word)
    else if (word === '--') isClosed = true
    else {
      const [name = '', value] = word.split('=', 2)
      const flag = flags.find(
        each => name === `--${each.name}` || name === `-${each.char}` || name === `--no-${each.name}`,
      )
      if (!flag) continue
      used.add(flag.name)
      if (flag.type === 'option' && value === undefined) open = flag
      else if (flag.name === 'profile') profile = value
    }
  }
  return {words, used, open, isClosed, profile}
}

const GROUPS = [undefined, 'BODY', 'REQUEST', 'GLOBAL']

/** Those of the command first. A flag that was given is offered again only if it is repeatable. */
function flagNames(flags: readonly ManifestFlag[], used: ReadonlySet<string>, word: string): Candidate[] {
  const given = flags.filter(({name}) => used.has(name))
  const isExcluded = ({name, exclusive = []}: ManifestFlag): boolean =>
    exclusive.some(other => used.has(String(other))) ||
    given.some(other => other.exclusive?.map(String).includes(name))
  const offered = flags
    .filter(flag => (!used.has(flag.name) || flag.multiple) && !isExcluded(flag))
    .toSorted((a, b) => GROUPS.indexOf(a.helpGroup) - GROUPS.indexOf(b.helpGroup))
  const names = offered.flatMap(flag => {
    const about = flagMeaning(flag)
    const negated = flag.allowNo && word.startsWith('--no') ? [{value: `--no-${flag.name}`, about}] : []
    return [{value: `--${flag.name}`, about}, ...negated]
  })
  return [...names, {value: '--help', about: 'Show help of this command.'}]
}

function argumentAt({args}: ManifestCommand, position: number): ManifestArgument | undefined {
  const all = Object.values(args)
  const last = all.at(-1)
  return all[position] ?? (last?.multiple ? last : undefined)
}

/** The completion as lines: what it is, then the candidates with their descriptions after a tab. */
export function completionText({candidates, names, prefix = ''}: Completion): string {
  const joins = candidates.length > 0 && candidates.every(({value}) => /[=:@]$/.test(value))
  const first = names ? `${names} ${prefix}` : joins ? 'values nospace' : 'values'
  const lines = candidates.map(({value, about = ''}) =>
    about === '' ? value : `${value}\t${shortened(about)}`,
  )
  return `${[first, ...lines].join('\n')}\n`
}

const LONGEST = 70

/** The first sentence. */
function shortened(about: string): string {
  const sentence = about.replace(/\s+/g, ' ').split(/\. |\.$/, 1)[0] ?? ''
  return sentence.length > LONGEST ? `${sentence.slice(0, LONGEST - 3)}...` : sentence
}
