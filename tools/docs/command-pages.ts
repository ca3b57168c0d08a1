import pjson from '../../package.json' with {type: 'json'}
import {bodyFlags, operationFlags, writeFlags} from '../../src/cli/flags.ts'
import {anchor} from '../../src/cli/help/anchor.ts'
import type {ManifestCommand, ManifestFlag} from '../../src/cli/help/manifest.ts'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {commandsByTopic} from './manifest.ts'
import {BANNER, code, table} from './markdown.ts'

/** Flags that many commands share are described once, in the overview. */
const SHARED: readonly {readonly title: string; readonly flags: readonly string[]}[] = [
  {title: 'On commands that send a request', flags: Object.keys(operationFlags)},
  {title: 'On commands whose request has a body', flags: Object.keys({...bodyFlags, ...writeFlags})},
]
const OVERVIEW = 'README.md'

/** Pages of docs/commands by file name: one per topic and an overview. */
export function commandPages(): ReadonlyMap<string, string> {
  const topics = commandsByTopic()
  const pages = new Map([[OVERVIEW, overview(topics)]])
  for (const [topic, commands] of topics) pages.set(`${topic}.md`, topicPage(topic, commands))
  return pages
}

function overview(topics: ReadonlyMap<string, readonly ManifestCommand[]>): string {
  const flags = new Map<string, ManifestFlag>()
  for (const command of [...topics.values()].flat())
    for (const flag of Object.values(command.flags)) if (!flags.has(flag.name)) flags.set(flag.name, flag)
  const all = [...flags.values()]
  const rows = [...topics].flatMap(([topic, commands]) =>
    commands.map(command => [`[${wordsOf(command)}](${topic}.md${hashOf(command)})`, command.summary ?? '']),
  )
  return [
    `${BANNER}# Commands`,
    '',
    ...table(['command', 'what it does'], rows),
    '## Flags on every command',
    '',
    ...flagTable(all.filter(({helpGroup}) => helpGroup === 'GLOBAL')),
    ...SHARED.flatMap(({title, flags: names}) => [
      `## ${title}`,
      '',
      ...flagTable(all.filter(({name}) => names.includes(name))),
    ]),
  ].join('\n')
}

function topicPage(topic: string, commands: readonly ManifestCommand[]): string {
  const [first] = commands
  const alone = commands.length === 1 && first?.id === topic
  const topics: Readonly<Record<string, {readonly description: string}>> = pjson.oclif.topics
  const about = topics[topic]?.description
  const lines = [`${BANNER}# cardctl ${topic}`, '']
  if (!alone) {
    if (about) lines.push(`${about}.`, '')
    const rows = commands.map(command => [`[${wordsOf(command)}](${hashOf(command)})`, command.summary ?? ''])
    lines.push(...table(['command', 'what it does'], rows))
  }
  for (const command of commands) {
    if (!alone) lines.push(`## cardctl ${wordsOf(command)}`, '')
    lines.push(...section(command))
  }
  return lines.join('\n')
}

function section(command: ManifestCommand): string[] {
  const {summary, description, args, flags, claims = []} = command
  const usage = Object.values(args).map(({name, required}) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  )
  const shared = SHARED.flatMap(group => group.flags)
  const own = Object.values(flags).filter(
    ({name, helpGroup, hidden}) => helpGroup !== 'GLOBAL' && !hidden && !shared.includes(name),
  )
  const lines: string[] = []
  for (const text of [summary, description]) if (text) lines.push(text, '')
  lines.push('```', `cardctl ${[wordsOf(command), ...usage].join(' ')} [flags]`, '```', '')
  lines.push(...examples(command))
  const described = Object.values(args).filter(arg => arg.description)
  lines.push(
    ...table(
      ['argument', 'meaning'],
      described.map(arg => [code(arg.name.toUpperCase()), arg.description ?? '']),
    ),
  )
  lines.push(...flagTable(own))
  const also = shared.filter(name => name in flags).map(name => code(`--${name}`))
  const everywhere = `the [flags on every command](${OVERVIEW}#flags-on-every-command)`
  lines.push(
    also.length === 0
      ? `Also: ${everywhere}.`
      : `Also: ${also.join(', ')} ([what they do](${OVERVIEW}#${anchor(SHARED[0]?.title ?? '')})), and ${everywhere}.`,
    '',
  )
  if (claims.length > 0) lines.push(`Sends ${claims.map(requestOf).join(', ')}.`, '')
  return lines
}

function examples({examples: all = []}: ManifestCommand): string[] {
  if (all.length === 0) return []
  const lines = all.flatMap(example =>
    typeof example === 'string'
      ? [render(example)]
      : [`# ${render(example.description)}`, render(example.command)],
  )
  return ['```sh', ...lines, '```', '']
}

function requestOf(id: string): string {
  const operation: Operation | undefined = operations[id as keyof typeof operations]
  if (!operation) throw new Error(`A command claims ${id}, which is no operation.`)
  return `${code(`${operation.method} ${operation.path}`)}${operation.deprecated ? ' (deprecated)' : ''}`
}

function flagTable(flags: readonly ManifestFlag[]): string[] {
  const sorted = [...flags].sort((a, b) => (a.name < b.name ? -1 : 1))
  return table(
    ['flag', 'meaning'],
    sorted.map(flag => [code(nameOf(flag)), meaningOf(flag)]),
  )
}

function nameOf({name, char, type, options, helpValue}: ManifestFlag): string {
  const value = type === 'boolean' ? '' : ` ${options?.join('|') ?? helpValue ?? 'VALUE'}`
  return `${char ? `-${char}, ` : ''}--${name}${value}`
}

function meaningOf({summary = '', required, default: preset}: ManifestFlag): string {
  const isPlain = ['string', 'number'].includes(typeof preset)
  return [
    summary,
    required ? 'Required.' : '',
    isPlain && !summary.includes('efault') ? `Default: ${code(String(preset))}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function wordsOf({id}: ManifestCommand): string {
  return id.replaceAll(':', ' ')
}

/** The link to a command on its topic's page. A topic that is one command has no sections. */
function hashOf(command: ManifestCommand): string {
  return command.id.includes(':') ? `#${anchor(`cardctl ${wordsOf(command)}`)}` : ''
}

function render(text: string): string {
  return text.replaceAll('<%= config.bin %>', 'cardctl')
}
