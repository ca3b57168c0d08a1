import {advice, type Hint, joinAdvice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {meantName, nearestName} from '../errors/nearest-name.ts'
import {typedLine} from './command-line.ts'
import type {Situation} from './help/entry.ts'
import {phrasesOf, situationOf} from './help/situations.ts'
import type {ImportedHints} from './imported-words.ts'
import {MISSING_VERBS, type MissingVerb} from './missing-verbs.ts'
import {topicNames} from './package-files.ts'

/** All topics and commands, as users type them. */
export const namesIn = (commandIds: readonly string[]): string[] =>
  [...topicNames, ...commandIds].map(id => id.replaceAll(':', ' '))

/** Quotes the word, and says what there is, what was probably meant, and what comes nearest. */
export function unknownCommand(
  words: readonly string[],
  names: readonly string[],
  {what = 'command', hints}: {readonly what?: string; readonly hints?: ImportedHints} = {},
): Failure {
  const topic = knownTopic(words, names)
  const depth = topic === '' ? 0 : topic.split(' ').length
  const word = words[depth]
  const shown = word !== undefined && COMMAND_WORD.test(word) ? `${topic} ${word}`.trimStart() : undefined
  const unknown = `Unknown ${what}${shown === undefined ? '' : ` "${shown}"`}.`
  const said = words.slice(depth, depth + 4).flatMap(one => one.split('-'))
  // `cancel transfer` is not about a card, as `cancel` alone is.
  const phrase = topic === '' && shown !== undefined ? situationOf(said, 2) : undefined
  const missing = missingVerb(topic, words.slice(depth), names)
  // What comes nearest is said at once, where the situation would lead there, too.
  const isNear = phrase?.steps.some(step => step.words === missing?.instead?.words)
  if (phrase !== undefined && !isNear) return inSituation(unknown, phrase)
  if (missing) {
    const resource = topic === '' ? missing.topics.find(each => each !== '') : topic
    const imported = resource === undefined ? undefined : hints?.named(resource, missing.verbs)
    return unavailable(unknown, missing, topic, imported)
  }
  const situation = shown === undefined ? undefined : situationOf(said)
  if (situation !== undefined) return inSituation(unknown, situation)
  if (topic === '' && word !== undefined && hints?.hasTag(word))
    return usage(unknown, advice`An imported contract has the tag: ${typedLine(['x', word], undefined)}`)
  const meant = meantCommand(words, names, topic)
  const sentences = [
    unknown,
    meant === undefined ? '' : `Did you mean "${meant}"?`,
    topic === '' ? '' : `Commands under "${topic}": ${commandsUnder(topic, names)}.`,
  ]
  const isSearch = topic === '' && what !== 'command' && meant === undefined
  const help = isSearch
    ? advice`Nothing in the help has ${words.length > 1 ? 'all these words' : 'this word'}. Try another word, or see ${typedLine(['--help'], undefined)}.`
    : advice`See ${helpOf(topic)}.`
  const search = typedLine(['help', '--search', word ?? ''], undefined)
  const hint =
    topic === '' && shown !== undefined && what === 'command'
      ? advice`${help} To search the help: ${search}`
      : help
  return usage(sentences.filter(Boolean).join(' '), hint)
}

/** Whether words that begin with a topic are a command that isn't there, and no question about the topic. */
export function isMistyped(words: readonly string[], names: readonly string[]): boolean {
  const topic = knownTopic(words, names)
  const rest = words.slice(topic === '' ? 0 : topic.split(' ').length)
  return missingVerb(topic, rest, names) !== undefined || meantCommand(words, names, topic) !== undefined
}

/** What was meant by a typing mistake. Of `cards gte 3001` only the first two words can be a command. */
function meantCommand(words: readonly string[], names: readonly string[], topic: string): string | undefined {
  const beginnings = [words.length, 3, 2, 1].map(count => words.slice(0, count).join(' '))
  return beginnings
    .map(beginning => meantName(beginning, mayBeMeant(beginning, names)))
    .find(name => name !== undefined && name !== topic)
}

/** A value in the wrong place may be a PIN or a token, and is not quoted. */
const COMMAND_WORD = /^[a-z][a-z-]{0,24}$/i

/** The longest topic that the words begin with; empty if the first word is none. */
function knownTopic(words: readonly string[], names: readonly string[]): string {
  const beginnings = words.map((_, at) => words.slice(0, at + 1).join(' '))
  return beginnings.findLast(beginning => names.some(name => name.startsWith(`${beginning} `))) ?? ''
}

const commandsUnder = (topic: string, names: readonly string[]): string => {
  const under = names.filter(name => name.startsWith(`${topic} `))
  const next = under.map(name => name.slice(topic.length + 1).split(' ', 1)[0] ?? '')
  return [...new Set(next)].sort().join(', ')
}

const READ_WORDS = ['describe', 'find', 'get', 'info', 'list', 'search', 'show', 'status', 'view']
const lastWord = (name: string): string => name.slice(name.lastIndexOf(' ') + 1)

/** Who asks to see something is never offered what changes it, not even after a typing mistake. */
const mayBeMeant = (given: string, names: readonly string[]): readonly string[] => {
  if (nearestName(lastWord(given), READ_WORDS) === undefined) return names
  return names.filter(name => READ_WORDS.includes(lastWord(name)))
}

/** `card block` and `block` are tried for `cards block`. */
function missingVerb(
  topic: string,
  [word = '', next = '']: readonly string[],
  names: readonly string[],
): MissingVerb | undefined {
  const find = (place: string, verb: string): MissingVerb | undefined =>
    MISSING_VERBS.find(({topics, verbs}) => topics.includes(place) && verbs.includes(verb.toLowerCase()))
  if (topic !== '') return find(topic, word)
  const meant = nearestName(word, names)
  return (meant === undefined ? undefined : find(meant, next)) ?? find('', word)
}

function unavailable(
  unknown: string,
  {lacks, instead}: MissingVerb,
  topic: string,
  imported: readonly string[] = [],
): Failure {
  const message = lacks === undefined ? unknown : `${unknown} ${lacks}`
  if (imported.length > 0) {
    const lines = imported.slice(0, 3).map(line => typedLine(line.split(' '), undefined))
    return usage(message, advice`An imported contract has it: ${joinAdvice(lines, ', or ')}`)
  }
  if (instead === undefined) return usage(message, advice`See ${helpOf(topic)}.`)
  return usage(message, advice`${instead.does}: ${typedLine(instead.words.split(' '), undefined)}`)
}

/** What can't be done, and where the steps are that can. */
function inSituation(unknown: string, situation: Situation): Failure {
  const {lacks} = situation
  return usage(lacks === undefined ? unknown : `${unknown} ${lacks}`, helpWith(situation))
}

/** Where the steps of a situation are. */
export function helpWith(situation: Situation): Hint {
  const {about} = situation
  const [phrase = about] = phrasesOf(situation)
  return advice`What to do about ${about}: ${typedLine(['help', ...phrase.split(' ')], undefined)}`
}

const usage = (message: string, hint: Hint): Failure => new Failure('USAGE', {message, hint, effect: 'none'})

const helpOf = (topic: string) =>
  typedLine([...topic.split(' ').filter(word => word !== ''), '--help'], undefined)

/** For `cardctl -p prod`, `cardctl -o json cards` and `cardctl --limit 3 cards list`. */
export function noCommand(words: readonly string[], names: readonly string[]): Failure {
  const topic = words.join(' ')
  if (topic === '') return usage('A command is missing. Put it before its flags.', advice`See ${helpOf('')}.`)
  return usage(
    `A command is missing after "${topic}": ${commandsUnder(topic, names)}.`,
    advice`See ${helpOf(topic)}.`,
  )
}
