// Man pages, from the same facts as help: cardctl(1), and one page for each topic.
import pjson from '../../package.json' with {type: 'json'}
import {
  argumentsOf,
  examplesOf,
  flagMeaning,
  flagName,
  type ManifestCommand,
  type ManifestFlag,
  nameOf,
} from '../../src/cli/help/manifest.ts'
import {helpTopics} from '../../src/cli/help/topics.ts'
import {topics} from '../../src/cli/package-files.ts'
import {TASK_GROUPS} from '../../src/cli/task-groups.ts'
import {commandsByTopic} from './manifest.ts'

/** Pages by file name. */
export function manPages(): ReadonlyMap<string, string> {
  const commands = commandsByTopic()
  const pages = new Map([['cardctl.1', mainPage(commands)]])
  for (const [topic, list] of commands) pages.set(`cardctl-${topic}.1`, topicPage(topic, list))
  return pages
}

type Topics = ReadonlyMap<string, readonly ManifestCommand[]>

const aboutTopic = (topic: string, commands: readonly ManifestCommand[]): string =>
  (topics[topic]?.description ?? commands[0]?.summary ?? '').replace(/\.$/, '')

function mainPage(commands: Topics): string {
  const groups = TASK_GROUPS.flatMap(({title, names}) => [
    `.SS ${quoted(title)}`,
    ...names.flatMap(name =>
      definition(`cardctl-${name}(1)`, `${aboutTopic(name, commands.get(name) ?? [])}.`),
    ),
  ])
  const texts = Object.entries(helpTopics).flatMap(([name, topic]) => [
    `.SH ${quoted(name.replaceAll('-', ' ').toUpperCase())}`,
    ...asIs(topic.text()),
  ])
  return page('cardctl', pjson.description, [
    '.SH SYNOPSIS',
    bold('cardctl COMMAND [FLAGS]'),
    '.SH DESCRIPTION',
    line(`${pjson.description}. For examples and flags of a command: cardctl COMMAND --help`),
    '.SH COMMANDS',
    ...groups,
    ...texts,
  ])
}

function topicPage(topic: string, commands: readonly ManifestCommand[]): string {
  return page(`cardctl-${topic}`, aboutTopic(topic, commands), [
    '.SH SYNOPSIS',
    ...commands.flatMap(command => [bold(usageOf(command)), '.br']),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH SEE ALSO',
    line('cardctl(1), which explains the flags that commands share.'),
  ])
}

const usageOf = (command: ManifestCommand): string =>
  ['cardctl', nameOf(command), argumentsOf(command), '[FLAGS]'].filter(Boolean).join(' ')

function commandLines(command: ManifestCommand): string[] {
  const {summary = '', description} = command
  const flags = Object.values(command.flags).filter(({hidden}) => !hidden)
  const own = flags.filter(({helpGroup}) => helpGroup === undefined)
  const shared = flags.filter(({helpGroup}) => helpGroup === 'BODY' || helpGroup === 'REQUEST')
  return [
    `.SS ${quoted(`cardctl ${nameOf(command)}`)}`,
    line(summary),
    ...(description ? ['.PP', ...description.split('\n').map(line)] : []),
    ...asIs(
      examplesOf(command)
        .map(({description: about, line: example}) => `${about ? `# ${about}\n` : ''}$ ${example}`)
        .join('\n'),
    ),
    ...Object.values(command.args).flatMap(({name, description: about = ''}) =>
      definition(name.toUpperCase(), about),
    ),
    ...own.flatMap(flagLines),
    ...(shared.length > 0 ? ['.PP', line(`Also: ${shared.map(({name}) => `--${name}`).join(', ')}.`)] : []),
  ]
}

const flagLines = (flag: ManifestFlag): string[] => definition(flagName(flag), flagMeaning(flag))

function page(name: string, about: string, lines: readonly string[]): string {
  const head = `.TH ${[name.toUpperCase(), '1', '', `cardctl ${pjson.version}`, 'cardctl manual'].map(quoted).join(' ')}`
  return `${[head, '.SH NAME', line(`${name} - ${about}`), ...lines].join('\n')}\n`
}

const definition = (term: string, meaning: string): string[] => ['.TP', bold(term), line(meaning)]

const bold = (text: string): string => `.B ${quoted(text)}`

/** Text with its own line breaks. */
function asIs(text: string): string[] {
  if (text === '') return []
  return ['.PP', '.RS 4', '.nf', ...text.split('\n').map(line), '.fi', '.RE']
}

/** An argument of a macro. */
const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\(dq')}"`

/** A line of text: at its beginning, a dot or an apostrophe would be a macro. */
function line(text: string): string {
  const safe = escaped(text)
  return /^[.']/.test(safe) ? `\\&${safe}` : safe
}

/** As typed: roff would print hyphens and quotes that can't be pasted into a shell. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/[^\n\x20-\x7e]/gu, character => `\\[u${codeOf(character)}]`)
}

const codeOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
