import {pageIfLong} from '../output/pager.ts'
import {Sink} from '../output/sink.ts'
import {environmentForChildren} from '../profiles/index.ts'
import {commandPage} from './help/command-page.ts'
import {helpLayout} from './help/layout.ts'
import {type Manifest, readManifest} from './help/manifest.ts'
import {overviewPage, topicPage} from './help/overview.ts'
import {importedLine} from './imported-words.ts'
import {topicNames} from './package-files.ts'
import type {Commands} from './program.ts'
import type {Surroundings} from './surroundings.ts'
import {namesIn, unknownCommand} from './unknown-command.ts'

/**
 * Shows the help of the command or topic that the words begin with, or of everything.
 *
 * @throws Failure USAGE if there is none.
 */
export async function showHelp(
  argv: readonly string[],
  surroundings: Surroundings,
  listed: Commands,
): Promise<void> {
  const end = argv.findIndex(word => word.startsWith('-'))
  const words = (end === -1 ? argv : argv.slice(0, end)).filter((word, at) => at > 0 || word !== 'help')
  const {commands} = readManifest()
  const text = await helpText(words, argv, commands, surroundings, listed)
  const imported = text === undefined ? importedLine(argv, surroundings) : undefined
  if (imported !== undefined) return showHelp(imported, surroundings, listed)
  if (text === undefined) throw unknownCommand(words, namesIn(Object.keys(commands)))
  await printHelp(text, surroundings)
}

/** The help of a command, a topic or everything; undefined if the words name none. */
export async function helpText(
  words: readonly string[],
  argv: readonly string[],
  commands: Manifest['commands'],
  surroundings: Surroundings,
  listed: Commands = {},
): Promise<string | undefined> {
  const layout = helpLayout(surroundings, {noColour: argv.includes('--no-color')})
  const shown = Object.values(commands).filter(({hidden}) => !hidden)
  if (words.length === 0) return overviewPage(shown, layout)
  const ids = words.map((_, at) => words.slice(0, at + 1).join(':'))
  const id = ids.findLast(each => Object.hasOwn(commands, each))
  const command = id === undefined ? undefined : commands[id]
  const topic = words.join(':')
  if (topicNames.includes(topic)) return topicPage(topic, shown, layout)
  if (!command) return undefined
  // The operations of an imported contract are no commands of the manifest.
  if (command.id === 'x') {
    const X = (await listed.x?.())?.default
    const described = (await X?.describe?.(surroundings, argv, command)) ?? command
    return typeof described === 'string' ? described : commandPage(described, layout)
  }
  const below = shown.filter(each => each.id.startsWith(`${command.id}:`))
  return commandPage(command, layout, below)
}

/** Prints help to stdout, through the pager if it is longer than the terminal. */
export async function printHelp(text: string, surroundings: Surroundings): Promise<void> {
  const whole = `${text}\n`
  if (surroundings.stdout.isTTY === true) {
    const childEnvironment = () => environmentForChildren(surroundings)
    if (await pageIfLong(whole, {...surroundings, stdout: surroundings.stdout, childEnvironment})) return
  }
  await new Sink(surroundings.stdout, surroundings.signal).write(whole)
}
