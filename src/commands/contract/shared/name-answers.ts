import {GROUPS} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {linesOf, type MappedName, parseText} from '../../../imported/index.ts'
import {escapeText} from '../../../output/styled.ts'
import {checkWords, neutralWords} from '../../../profiles/index.ts'

/** The user's decisions: the service's names for words, and the prefixes of groups. */
export interface NameAnswers {
  readonly words: Readonly<Record<string, string>>
  readonly prefixes: Readonly<Record<string, string>>
  /** How the service talks: `envelope`, `error.code`, `headers.X-Version` … */
  readonly service: Readonly<Record<string, string>>
}

export const NO_ANSWERS: NameAnswers = {words: {}, prefixes: {}, service: {}}

const PARTS = {
  words: {known: neutralWords as readonly string[], is: 'a word that a profile can set'},
  prefixes: {known: GROUPS as readonly string[], is: 'a group of operations'},
  service: {
    known: ['envelope', 'error.code', 'error.message', 'error.field'],
    is: 'a setting of how the service talks',
  },
} satisfies Record<keyof NameAnswers, {readonly known: readonly string[]; readonly is: string}>

const FORM = 'Answers look like this: {"words": {"pinBlock": "pin_block"}, "prefixes": {"cards": "/card"}}.'

/**
 * Reads a file of answers, in the format of `answersToFill`.
 *
 * @param taken names of the contract that no word may have
 * @throws Failure INPUT_INVALID with the place of the mistake
 */
export async function readAnswers(
  text: string,
  name: string,
  taken: ReadonlySet<string>,
): Promise<NameAnswers> {
  const lineOf = linesOf(text)
  const invalid = (message: string, steps: readonly string[], hint = FORM): Failure => {
    const line = steps.length === 0 ? undefined : lineOf(steps)
    const place = line === undefined ? name : `${name}, line ${line}`
    return new Failure('INPUT_INVALID', {message: `${place}: ${message}`, hint, effect: 'none'})
  }
  const partOf = (part: keyof NameAnswers, given: unknown): Record<string, string> => {
    // An empty part has nothing to check.
    if (given === null || given === undefined) return {}
    if (!isObject(given)) throw invalid(`${part} must be an object.`, [part])
    const {known, is} = PARTS[part]
    const answers = Object.entries(given).map(([key, value]): [string, string] => {
      const at = [part, key]
      if (!known.includes(key) && !(part === 'service' && /^headers\../.test(key))) {
        const meant = nearestName(key, known)
        const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`
        throw invalid(`${part}.${escapeText(key.slice(0, 80))} is not ${is}.${suggestion}`, at)
      }
      if (value === null) throw invalid(`${part}.${key} has no answer.`, at, wayToAnswer(part, key))
      if (typeof value !== 'string') throw invalid(`${part}.${key} must be text.`, at)
      return [key, value]
    })
    return Object.fromEntries(answers)
  }
  let read: unknown
  try {
    read = parseText(text, name)
  } catch (error) {
    throw error instanceof Failure ? error.with({hint: FORM}) : error
  }
  if (!isObject(read)) throw invalid('there are no answers.', [])
  const stray = Object.keys(read).find(part => !Object.hasOwn(PARTS, part))
  if (stray !== undefined) throw invalid(`${escapeText(stray.slice(0, 80))} is not known.`, [stray])
  const words = partOf('words', read.words)
  const [problem] = checkWords(words)
  if (problem) throw invalid(`${problem.member} ${problem.message}.`, problem.member.split('.'))
  for (const [word, own] of Object.entries(words)) {
    if (own === word || !taken.has(own)) continue
    throw invalid(
      `words.${word} cannot be ${own}: the contract has another field of that name, so responses would be ambiguous.`,
      ['words', word],
    )
  }
  return {words, prefixes: partOf('prefixes', read.prefixes), service: partOf('service', read.service)}
}

function wayToAnswer(part: keyof NameAnswers, key: string): string {
  if (part === 'words') return `Write the service's name, or ${key} to leave it as it is.`
  return part === 'prefixes'
    ? 'Write the prefix, such as /card, or "" for none.'
    : 'Write the value, or "" for none.'
}

/** A file of answers in YAML: sure names are filled in, uncertain ones are left open. */
export function answersToFill(names: readonly MappedName[], contract: string): string {
  const part = (kind: MappedName['kind'], title: keyof NameAnswers): readonly string[] => {
    const lines = names
      .filter(one => one.kind === kind && (one.standing === 'sure' || one.standing === 'unsure'))
      .flatMap(({name, standing, theirs, candidates, why, current}) => [
        `  # ${commented(why)}`,
        ...(standing === 'sure'
          ? []
          : [`  # one of: ${[...new Set([...candidates, current || '""'])].join(', ')}`]),
        `  ${name}:${standing === 'sure' ? ` ${JSON.stringify(theirs)}` : ''}`,
      ])
    return lines.length === 0 ? [] : [`${title}:`, ...lines]
  }
  const parts = [...part('word', 'words'), ...part('prefix', 'prefixes'), ...part('service', 'service')]
  return [
    `# What ${commented(contract)} calls the words of the built-in contract.`,
    '# Give each word the name that the service has for it; its own name leaves it as it is.',
    // Without a part the file would be empty, and be refused.
    ...(parts.length === 0 ? ['words: {}'] : parts),
    '',
  ].join('\n')
}

const commented = (text: string): string => escapeText(text).replace(/\s+/g, ' ')
