import {operations} from '../../contract/operations.gen.ts'
import type {OperationId} from '../../contract/types.ts'
import {COMMAND_EFFECTS} from '../command-effects.ts'
import {MISSING_VERBS} from '../missing-verbs.ts'
import {topicNames, topics} from '../package-files.ts'
import {ASKED_OF_COMMANDS} from './asked/of-commands.ts'
import type {Entry, Text} from './entry.ts'
import {examplesOf, flagMeaning, flagName, type ManifestCommand, nameOf} from './manifest.ts'
import type {NamedByEntry} from './named.ts'
import type {DocsPage} from './pages.ts'
import {phrasesIn} from './terms.ts'
import {helpTopics} from './topics.ts'

export type Searchable = ManifestCommand & {
  /** What people type for it, though it isn't its name. */
  readonly words?: readonly string[]
}

/** What a search looks in: commands, help topics and pages. */
export const entriesOf = (
  commands: readonly Searchable[],
  pages: readonly DocsPage[],
  named: NamedByEntry = new Map(),
): readonly Entry[] =>
  withNames(
    [
      ...commands.map(commandEntry),
      ...topicNames.map(groupEntry),
      ...Object.entries(helpTopics).map(topicEntry),
      ...pages.map(pageEntry),
    ],
    named,
  )

/** Entries with the names that they explain. */
export const withNames = <One extends Entry>(entries: readonly One[], named: NamedByEntry): readonly One[] =>
  entries.map(entry => {
    const own = named.get(entry.name)
    return own === undefined ? entry : {...entry, named: own}
  })

export function commandEntry(command: Searchable): Entry {
  const {summary = '', description = '', args, flags, words = [], claims = []} = command
  const name = nameOf(command)
  const instead = MISSING_VERBS.filter(verb => verb.instead?.words.startsWith(name))
  // Flags of every command would find every command.
  const own = Object.values(flags).filter(({hidden, helpGroup}) => !hidden && helpGroup === undefined)
  return {
    name,
    summary,
    ...effectOf(command),
    texts: [
      {text: name, field: 'name'},
      {text: summary, field: 'summary'},
      ...askedOf(name),
      ...words.map((text): Text => ({text, field: 'asked'})),
      ...claims.flatMap(wireNames).map((text): Text => ({text, field: 'wire'})),
      ...instead.map(
        (verb): Text => ({
          text: `${verb.verbs.join(', ')}: cardctl ${verb.instead?.words}`,
          field: 'instead',
        }),
      ),
      ...own.map((flag): Text => ({text: `${flagName(flag)}  ${flagMeaning(flag)}`, field: 'text'})),
      ...Object.values(args).map(
        (arg): Text => ({text: `${arg.name.toUpperCase()}  ${arg.description ?? ''}`, field: 'text'}),
      ),
      ...description.split('\n').map((text): Text => ({text, field: 'text'})),
      ...examplesOf(command).map(
        ({description: about, line}): Text => ({
          text: [line, about].filter(Boolean).join('  # '),
          field: 'text',
        }),
      ),
    ],
  }
}

/** By the operations that it sends, or by what is written down for it; nothing for what changes only this machine. */
function effectOf({id, claims = []}: Searchable): Pick<Entry, 'effect' | 'sendsMoney'> {
  const effects = claims.flatMap(each =>
    Object.hasOwn(operations, each) ? [operations[each as OperationId].effect] : [],
  )
  if (effects.some(effect => effect !== 'read') || COMMAND_EFFECTS.write.includes(id))
    return {effect: 'write', ...(claims.includes('a2a.create.v1') && {sendsMoney: true})}
  return effects.length > 0 || COMMAND_EFFECTS.read.includes(id) ? {effect: 'read'} : {}
}

const askedOf = (name: string): readonly Text[] =>
  Object.hasOwn(ASKED_OF_COMMANDS, name)
    ? phrasesIn(ASKED_OF_COMMANDS[name] ?? '').map(text => ({text, field: 'asked'}))
    : []

/** How an operation is called on the wire. */
function wireNames(id: string): readonly string[] {
  const operation = Object.hasOwn(operations, id) ? operations[id as OperationId] : undefined
  return operation === undefined ? [] : [`${operation.method} ${operation.path}`, operation.summary]
}

/** A group of commands is found by its name alone: its commands have the words. */
export const groupEntry = (id: string): Entry => ({
  name: id.replaceAll(':', ' '),
  summary: `${topics[id]?.description}.`,
  texts: [],
})

export function topicEntry([name, topic]: [string, (typeof helpTopics)[string]]): Entry {
  const lines = topic
    .text()
    .split('\n')
    .filter(line => line.trim() !== '')
  return {
    name: `help ${name}`,
    summary: `${topic.summary}.`,
    texts: [
      {text: name, field: 'name'},
      {text: topic.summary, field: 'summary'},
      ...askedOf(`help ${name}`),
      ...lines.map((text): Text => ({text: text.trim(), field: 'text'})),
    ],
  }
}

export const pageEntry = ({
  name,
  title,
  asked,
  headings,
  lines,
  isBackground,
  isReference,
}: DocsPage): Entry => ({
  name,
  summary: title,
  ...(isBackground && {isBackground}),
  ...(isReference && {isReference}),
  texts: [
    {text: title, field: 'name'},
    {text: name.replace(/\.md$|^docs\//g, ''), field: 'name'},
    ...headings.map((text): Text => ({text, field: 'heading', under: text})),
    ...asked.map((line): Text => ({...line, field: 'asked'})),
    ...lines.map((line): Text => ({...line, field: 'text'})),
  ],
})
