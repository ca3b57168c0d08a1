import type {HelpLayout} from './layout.ts'
import {
  argumentsOf,
  examplesOf,
  flagMeaning,
  flagName,
  type ManifestCommand,
  type ManifestFlag,
  nameOf,
} from './manifest.ts'

/**
 * The help of one command: what it does, how it is used, examples, and its flags, the common ones first.
 *
 * @param below commands whose names continue its own.
 */
export function commandPage(
  command: ManifestCommand,
  layout: HelpLayout,
  below: readonly ManifestCommand[] = [],
): string {
  const {summary = '', description} = command
  const usage = ['cardctl', nameOf(command), argumentsOf(command), '[FLAGS]'].filter(Boolean).join(' ')
  const flags = Object.values(command.flags).filter(({hidden}) => !hidden)
  const inGroup = (group: string | undefined) => flags.filter(({helpGroup}) => helpGroup === group)
  return [
    ...layout.prose(summary),
    ...layout.section('USAGE', layout.prose(`$ ${usage}`, '  ')),
    ...layout.section('EXAMPLES', exampleLines(command, layout)),
    ...layout.section('DESCRIPTION', description ? layout.prose(description, '  ') : []),
    ...layout.section('COMMANDS', layout.rows(below.map(each => [nameOf(each), each.summary ?? '']))),
    ...layout.section('ARGUMENTS', layout.rows(argumentRows(command))),
    ...layout.section('FLAGS', flagRows(requiredFirst(inGroup(undefined)), layout)),
    ...layout.section('MORE FLAGS', flagRows(inGroup('BODY'), layout)),
    '',
    ...oneLine('Request flags', inGroup('REQUEST'), layout),
    ...oneLine('Global flags', inGroup('GLOBAL'), layout, ' See cardctl help flags.'),
  ].join('\n')
}

/** An example is never wrapped: it is there to be copied. */
function exampleLines(command: ManifestCommand, layout: HelpLayout): string[] {
  return examplesOf(command).flatMap(({description, line}) => [
    ...(description ? layout.prose(`# ${description}`, '  ') : []),
    `  $ ${line}`,
  ])
}

const argumentRows = ({args}: ManifestCommand): [string, string][] =>
  Object.values(args).map(({name, description = ''}) => [name.toUpperCase(), description])

const requiredFirst = (flags: readonly ManifestFlag[]): ManifestFlag[] =>
  [true, false].flatMap(required => flags.filter(flag => (flag.required === true) === required))

function flagRows(flags: readonly ManifestFlag[], layout: HelpLayout): string[] {
  const indent = flags.some(({char}) => char) ? '    ' : ''
  return layout.rows(flags.map(flag => [`${flag.char ? '' : indent}${flagName(flag)}`, flagMeaning(flag)]))
}

/** How many flags are named; `help flags` explains all. */
const MOST_NAMED = 6

function oneLine(title: string, flags: readonly ManifestFlag[], layout: HelpLayout, end = ''): string[] {
  if (flags.length === 0) return []
  const names = flags.map(({char, name}) => (char ? `-${char}` : `--${name}`))
  // A short name marks a flag that is typed often.
  const sorted = [
    ...names.filter(name => !name.startsWith('--')),
    ...names.filter(name => name.startsWith('--')),
  ]
  const more = names.length > MOST_NAMED ? ' …' : ''
  return layout.prose(`${title}: ${sorted.slice(0, MOST_NAMED).join(', ')}${more}${end}`)
}
