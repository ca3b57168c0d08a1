import {operations} from '../../contract/operations.gen.ts'
import type {OperationId} from '../../contract/types.ts'
import {isAccessible, isDumb} from '../../output/terminal.ts'
import {Context} from '../context.ts'
import {answering} from '../help/answering.ts'
import {helpLayout} from '../help/layout.ts'
import {importedCommands} from '../imported-words.ts'
import type {SearchChoice} from '../list-questions.ts'
import {hasPlainCommand, plainCommandOf} from '../plain-commands.ts'
import type {Program, RunEnd} from '../program.ts'
import {StepBack} from '../question-ends.ts'
import {isInteractive, type Surroundings} from '../surroundings.ts'
import {TASK_GROUPS, taskGroupOf} from '../task-groups.ts'
import {openRequests, recentlyUsed, sentBy} from './recently-used.ts'
import {type MenuEntry, searchCommands} from './search-commands.ts'

/** Whether a person sits at a terminal that can show a menu. */
export const opensMenu = (surroundings: Surroundings): boolean =>
  isInteractive(surroundings) && surroundings.stdout.isTTY === true && !isDumb(surroundings.env)

const MOST_RECENT = 5
const MOST_OPEN = 3
/** Requests whose fields are looked at, to name the command that a person used. */
const MOST_LOOKED_THROUGH = 30

/** Of ids of commands. */
const DESTROYS = /:(?:cancel|close|delete|erase|prune|remove|reset|uninstall)$/

/** What is wanted most, first in its group. The rest follows in the order of topics and names. */
const FIRST = [
  ...['find', 'cards:get', 'cards:list', 'cards:plastics', 'pin:view', 'pin:unblock', 'pin:set'],
  ...['requests:list', 'requests:show', 'requests:undo', 'history'],
  ...['sandbox:authorize', 'sandbox:authorizations', 'sandbox:state', 'sandbox:clock'],
]

/** Runs the commands that a person chooses, until there is no way back to the menu. */
export async function runFromMenu(
  program: Program,
  surroundings: Surroundings,
  run: (argv: readonly string[], surroundings: Surroundings) => Promise<RunEnd | undefined>,
): Promise<RunEnd | undefined> {
  for (;;) {
    const words = await chooseCommand(program, surroundings)
    try {
      // A page to read has no more values.
      const isPage = words[0] === 'help' && words.length > 1
      return await run([...words, ...(isPage ? [] : ['--interactive'])], {...surroundings, fromMenu: true})
    } catch (error) {
      if (!(error instanceof StepBack)) throw error
    }
  }
}

/** Lets a person choose a command. Returns its words. */
async function chooseCommand(program: Program, surroundings: Surroundings): Promise<readonly string[]> {
  const context = new Context(surroundings, {}, program.version)
  const own = program.commands
    .filter(({hidden}) => !hidden)
    .map(({id, summary}) => entryOf({id, summary, destroys: DESTROYS.test(id)}, taskGroupOf(id)))
  // A document may have thousands: they show when a person searches.
  const imported = importedCommands([], surroundings).map(command => entryOf(command))
  const entries = [...own, ...imported]
  const first = [
    {title: 'Effect unknown: find out before you do it again', members: await openEntries(context)},
    // Of these, some may have been refused.
    {title: 'Used here last', members: await recentEntries(context, program, entries)},
  ]
  const lineOf = menuLine(surroundings, own)
  const message = 'What do you want to do?'
  const answer = await answering([], surroundings)
  // A window leaves its last column free, and a heading is one column in.
  const layout = helpLayout({...surroundings, stdout: surroundings.stderr}, {spared: 2})
  const shown = (typed: string): readonly SearchChoice[] => {
    const {about, found} = searchCommands(entries, typed, answer)
    const headings = about === undefined ? [] : layout.prose(about, '')
    return [...headings.map(heading => ({heading})), ...found.map(lineOf)]
  }
  const words = await context.prompter.search(message, typed =>
    typed === undefined ? grouped(entries, first, lineOf) : shown(typed),
  )
  return words.split(' ')
}

const entryOf = (
  {id, summary = '', words = [], destroys = false}: Listed & Partial<Pick<MenuEntry, 'destroys'>>,
  group = '',
): MenuEntry => ({id, words: id.replaceAll(':', ' '), summary, group, destroys, also: words})

interface Listed {
  readonly id: string
  readonly summary?: string | undefined
  readonly words?: readonly string[]
}

/** What finds out whether a request had an effect, for the newest of those of which that is unknown. */
async function openEntries(context: Context): Promise<readonly MenuEntry[]> {
  const open = await openRequests(context, MOST_OPEN)
  return open.map(({id, did, begunAt}) => ({
    ...entryOf({id: 'requests:resolve', summary: `Did it happen? ${did}, ${context.when(begunAt)}`}),
    words: `requests resolve ${id}`,
  }))
}

/** The commands of the latest requests, last used first. Reads leave no record. */
async function recentEntries(
  context: Context,
  program: Program,
  entries: readonly MenuEntry[],
): Promise<readonly MenuEntry[]> {
  const senders = new Map<string, string>()
  for (const {id, claims = []} of program.commands as readonly {
    id: string
    claims?: readonly OperationId[]
  }[])
    for (const operation of claims) if (operation in operations) senders.set(operation, id)
  const requests = commandsOf((await recentlyUsed(context)).requests)
  const newest = requests.slice(0, MOST_LOOKED_THROUGH)
  const sent = await sentBy(
    context,
    newest.filter(({operation}) => hasPlainCommand(operation)).map(({id}) => id),
  )
  const ids = new Set(
    requests.map(({id, operation}) => plainCommandOf(operation, sent.get(id)) ?? senders.get(operation)),
  )
  const found = [...ids].flatMap(id => entries.find(entry => entry.id === id) ?? [])
  return found.slice(0, MOST_RECENT)
}

/** Without the first requests of a PIN exchange: who set a PIN ran one command. */
function commandsOf<Request extends {readonly resources: readonly string[]}>(
  requests: readonly Request[],
): readonly Request[] {
  const seen = new Set<string>()
  return requests.filter(({resources}) => {
    const exchange = resources.find(one => one.startsWith('control:'))
    const isNew = exchange === undefined || !seen.has(exchange)
    if (exchange !== undefined) seen.add(exchange)
    return isNew
  })
}

function grouped(
  entries: readonly MenuEntry[],
  first: readonly {readonly title: string; readonly members: readonly MenuEntry[]}[],
  lineOf: (entry: MenuEntry) => SearchChoice,
): readonly SearchChoice[] {
  const groups = [
    ...first.filter(({members}) => members.length > 0),
    ...TASK_GROUPS.map(({title, names}) => ({
      title,
      members: entries
        .filter(({group}) => group === title)
        .toSorted((a, b) => placeIn([...FIRST, ...names], a.id) - placeIn([...FIRST, ...names], b.id)),
    })),
  ]
  return groups.flatMap(({title, members}) => [{heading: title}, ...members.map(lineOf)])
}

/** Where the name of a command, or of its topic, stands in a group. */
const placeIn = (names: readonly string[], id: string): number =>
  names.findIndex(name => id === name || id.startsWith(`${name}:`))

/**
 * Name and summary on one line. Where the terminal is narrow, the summary is only shown below the list. A screen reader
 * gets the whole summary, as plain questions have nothing below the list.
 */
function menuLine(
  surroundings: Surroundings,
  entries: readonly MenuEntry[],
): (entry: MenuEntry) => SearchChoice {
  if (isAccessible(surroundings.env))
    return ({words, summary}) => ({value: words, name: `${words}: ${summary}`})
  const nameWidth = Math.max(...entries.map(({words}) => words.length)) + 2
  const isNarrow = (surroundings.stderr.columns ?? 80) < nameWidth + 24
  return ({words, summary}) => ({
    value: words,
    name: isNarrow ? words : `${words} `.padEnd(nameWidth) + summary,
    description: summary,
  })
}
