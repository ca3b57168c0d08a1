import pjson from '../../../package.json' with {type: 'json'}
import {topics} from '../package-files.ts'
import {TASK_GROUPS} from '../task-groups.ts'
import type {HelpLayout} from './layout.ts'
import {type ManifestCommand, nameOf} from './manifest.ts'
import {helpTopics} from './topics.ts'

const FIRST_STEPS: readonly (readonly [string, string])[] = [
  ['$ cardctl tour', 'see it work: a few real commands, nothing of yours is touched'],
  ['$ cardctl cards get 3001', 'show a card of the sandbox'],
  ['$ cardctl profiles add', 'add your own service'],
  ['$ cardctl doctor', 'check this machine and the connection to the service'],
]

/** The help of everything: what there is, by task. */
export function overviewPage(commands: readonly ManifestCommand[], layout: HelpLayout): string {
  const about = (id: string): string =>
    topics[id]?.description ?? commands.find(command => command.id === id)?.summary?.replace(/\.$/, '') ?? ''
  const groups = TASK_GROUPS.map(({title, names}) => ({
    title,
    rows: names.map((id): [string, string] => [id.replaceAll(':', ' '), about(id)]),
  }))
  return [
    ...layout.prose(`${pjson.description}.`),
    ...layout.section('USAGE', ['  $ cardctl COMMAND [FLAGS]']),
    ...layout.section('FIRST STEPS', layout.rows(FIRST_STEPS, 26)),
    ...layout.section('COMMANDS', groupLines(groups, layout)),
    ...layout.section('HELP', [
      ...layout.rows([
        ['COMMAND --help', 'examples and flags of a command'],
        ['help WORD', 'search all help'],
        ['help TOPIC', Object.keys(helpTopics).join(', ')],
      ]),
    ]),
  ].join('\n')
}

interface Group {
  readonly title: string
  readonly rows: readonly (readonly [name: string, about: string])[]
}

const NARROW = 60

/** With the task in a column of its own, or as a line above its commands. */
function groupLines(groups: readonly Group[], layout: HelpLayout): string[] {
  if (layout.width < NARROW) return groups.flatMap(({title, rows}) => [title, ...layout.rows(rows)])
  const wide = Math.max(...groups.map(({title}) => title.length)) + 2
  const name = Math.max(...groups.flatMap(({rows}) => rows.map(([text]) => text.length)))
  return layout.rows(
    groups.flatMap(({title, rows}) =>
      rows.map(([text, about], at): [string, string] => [
        `${(at === 0 ? title : '').padEnd(wide)}${text.padEnd(name)}`,
        about,
      ]),
    ),
    wide + name,
  )
}

/** The help of a topic: its commands, and the topics below it. */
export function topicPage(topic: string, commands: readonly ManifestCommand[], layout: HelpLayout): string {
  const below = Object.keys(topics).filter(id => id.startsWith(`${topic}:`))
  const own = commands.filter(
    ({id}) => id.startsWith(`${topic}:`) && !below.some(each => id.startsWith(`${each}:`)),
  )
  const words = topic.replaceAll(':', ' ')
  return [
    ...layout.prose(`${topics[topic]?.description ?? words}.`),
    ...layout.section('USAGE', [`  $ cardctl ${words} COMMAND [FLAGS]`]),
    ...layout.section(
      'COMMANDS',
      layout.rows([
        ...own.map((command): [string, string] => [nameOf(command), command.summary ?? '']),
        ...below.map((id): [string, string] => [
          `${id.replaceAll(':', ' ')} …`,
          `${topics[id]?.description}.`,
        ]),
      ]),
    ),
    '',
    ...layout.prose(`For examples and flags: cardctl ${words} COMMAND --help`),
  ].join('\n')
}
