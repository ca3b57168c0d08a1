import {operations} from '../../contract/operations.gen.ts'
import type {OperationId} from '../../contract/types.ts'
import {MISSING_VERBS} from '../missing-verbs.ts'
import {examplesOf, flagMeaning, flagName, type ManifestCommand, nameOf} from './manifest.ts'
import {QUESTIONS} from './page-questions.ts'
import type {DocsPage} from './pages.ts'
import type {Entry} from './search.ts'
import {helpTopics} from './topics.ts'

export type Searchable = ManifestCommand & {
  /** What people type for it, though it isn't its name. */
  readonly words?: readonly string[]
}

/** What a search looks in: commands, help topics and pages. */
export const entriesOf = (commands: readonly Searchable[], pages: readonly DocsPage[]): readonly Entry[] => [
  ...commands.map(commandEntry),
  ...Object.entries(helpTopics).map(topicEntry),
  ...pages.map(pageEntry),
]

const NAME = 100
const TOPIC = 60
const QUESTION = 40
const SUMMARY = 30

export function commandEntry(command: Searchable): Entry {
  const {summary = '', description = '', args, flags, words = [], claims = []} = command
  const name = nameOf(command)
  const instead = MISSING_VERBS.filter(verb => verb.instead?.words.startsWith(name))
  // Flags of every command would find every command.
  const own = Object.values(flags).filter(({hidden, helpGroup}) => !hidden && helpGroup === undefined)
  return {
    name,
    summary,
    texts: [
      {text: name, weight: TOPIC},
      // What a command does tells it from those beside it.
      {text: name.split(' ').at(-1) ?? '', weight: NAME},
      ...(QUESTIONS[name] ?? []).map(text => ({text, weight: QUESTION, isHidden: true})),
      {text: summary, weight: SUMMARY},
      {text: words.join(', '), weight: 90},
      ...claims.flatMap(wireNames).map(text => ({text, weight: 20})),
      ...instead.map(verb => ({
        text: `${verb.verbs.join(', ')}: cardctl ${verb.instead?.words}`,
        weight: 60,
      })),
      ...own.map(flag => ({text: `${flagName(flag)}  ${flagMeaning(flag)}`, weight: 15})),
      ...Object.values(args).map(arg => ({
        text: `${arg.name.toUpperCase()}  ${arg.description ?? ''}`,
        weight: 12,
      })),
      ...description.split('\n').map(text => ({text, weight: 10})),
      ...examplesOf(command).map(({description: about, line}) => ({
        text: [line, about].filter(Boolean).join('  # '),
        weight: 6,
      })),
    ],
  }
}

/** How an operation is called on the wire. */
function wireNames(id: string): readonly string[] {
  const operation = Object.hasOwn(operations, id) ? operations[id as OperationId] : undefined
  return operation === undefined ? [] : [`${operation.method} ${operation.path}`, operation.summary]
}

export function topicEntry([name, topic]: [string, (typeof helpTopics)[string]]): Entry {
  const lines = topic
    .text()
    .split('\n')
    .filter(line => line.trim() !== '')
  return {
    name: `help ${name}`,
    summary: `${topic.summary}.`,
    texts: [
      {text: name, weight: 80},
      {text: topic.summary, weight: SUMMARY},
      ...lines.map(text => ({text: text.trim(), weight: 16})),
    ],
  }
}

export const pageEntry = ({name, title, questions, headings, lines}: DocsPage): Entry => ({
  name,
  summary: title,
  texts: [
    {text: title, weight: 50},
    {text: name.replace(/\.md$|^docs\//g, ''), weight: 50},
    ...headings.map(text => ({text, weight: 28, under: text})),
    ...questions.map(question => ({...question, weight: QUESTION, isHidden: true})),
    ...lines.map(line => ({...line, weight: 9})),
  ],
})
