import {Failure} from '../errors/failure.ts'
import {codeOfSignal, exitCodeOf, interrupted, isInterruption} from '../errors/interruption.ts'
import {Sink} from '../output/sink.ts'
import {withCommandFirst} from './command-first.ts'
import {failureFrom} from './failure-from.ts'
import {globalFlags} from './flags.ts'
import {opensMenu, runFromMenu} from './guided/menu.ts'
import {showHelp} from './help.ts'
import {importedHints, importedLine} from './imported-words.ts'
import {endLog, withLogFormat} from './log-format.ts'
import {topicNames} from './package-files.ts'
import {type Commands, Program, type RunEnd} from './program.ts'
import {refuseCardNumbers as refuse} from './refuse-card-numbers.ts'
import {reportFailure} from './report-failure.ts'
import type {StartOptions, Surroundings} from './surroundings.ts'
import {namesIn, noCommand, unknownCommand} from './unknown-command.ts'

/** Runs a command line and returns its exit code. Commands throw errors; only this function prints them. */
export async function main(
  argv: readonly string[],
  outside: Surroundings,
  commands: Commands,
): Promise<number> {
  const surroundings = withLogFormat(argv, outside)
  try {
    await refuseCardNumbers(argv)
    const end = await runLine(argv, surroundings, commands)
    const {aborted, reason} = surroundings.signal
    return aborted && !(end?.endsAtInterrupt && reason === 'SIGINT') ? exitCodeOf(reason) : 0
  } catch (error) {
    const failure = failureOf(error, surroundings)
    await report(failure, argv, surroundings, commands)
    return failure.exit
  } finally {
    endLog(surroundings)
  }
}

/** Enough digits for a card number, in any script. Most command lines have fewer, and so don't load the check. */
const MANY_DIGITS = /(?:[\d\P{ASCII}][^\d\P{ASCII}]*){13}/u

/** @throws Failure SENSITIVE_IN_ARGV */
async function refuseCardNumbers(argv: readonly string[]): Promise<void> {
  if (!MANY_DIGITS.test(argv.join(' '))) return
  refuse(argv)
}

/** Runs a command line inside another one. Throws its errors, for the outer one to report. */
export async function runLine(
  typed: readonly string[],
  surroundings: Surroundings,
  commands: Commands,
): Promise<RunEnd | undefined> {
  if (typed[0] === '--version') {
    const {userAgent} = new Program({root: '', surroundings, argv: typed}, commands)
    new Sink(surroundings.stdout).say(`${userAgent}\n`)
    return undefined
  }
  const argv = await commandFirst(typed, id => topicNames.includes(id) || Object.hasOwn(commands, id))
  const program = () => {
    const options: StartOptions = {root: '', surroundings, argv}
    return new Program(options, commands)
  }
  const firstFlag = argv.findIndex(word => word.startsWith('-'))
  const words = firstFlag === -1 ? argv : argv.slice(0, firstFlag)
  const id = longest(words, name => Object.hasOwn(commands, name))
  const isTopic = topicNames.includes(words.join(':'))
  if (argv.length === 0 && surroundings.stdin.isTTY) {
    if (opensMenu(surroundings)) {
      return runFromMenu(program(), surroundings, (line, inside) => runLine(line, inside, commands))
    }
  }
  if (argv.length === 0 || asksForHelp(argv) || (id === undefined && isTopic)) {
    if (!asksForHelp(argv) && firstFlag !== -1) throw noCommand(words, namesIn(Object.keys(commands)))
    await showHelp(argv, surroundings, commands)
    return undefined
  }
  if (words.length === 0) throw noCommand([], [])
  const load = id === undefined ? undefined : commands[id]
  if (id === undefined || !load) {
    const imported = importedLine(argv, surroundings)
    if (imported) return runLine(imported, surroundings, commands)
    const hints = importedHints(argv, surroundings)
    throw unknownCommand(words, namesIn(Object.keys(commands)), {hints})
  }
  const {default: Command} = await load()
  Command.id = id
  return Command.runIn(argv.slice(id.split(':').length), program())
}

/** The command line with its command before the flags. Hardly any line begins with a flag, and so loads this. */
async function commandFirst(
  argv: readonly string[],
  isName: (id: string) => boolean,
): Promise<readonly string[]> {
  const at = argv.findIndex(word => word.startsWith('-'))
  if (at === -1 || asksForHelp(argv.slice(at, at + 1))) return argv
  if (at > 0 && !topicNames.includes(argv.slice(0, at).join(':'))) return argv
  return withCommandFirst(argv, {...globalFlags, help: {char: 'h', type: 'boolean'}}, isName)
}

/** The longest prefix of the words that is a name; colons join its words. */
function longest(words: readonly string[], isName: (name: string) => boolean): string | undefined {
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(':')
    if (isName(name)) return name
  }
  return undefined
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some(word => word === '--help' || word === '-h')
}

/** Prints a failure. Loads the printer only now, because help and version don't need it. */
export async function report(
  failure: Failure,
  argv: readonly string[],
  surroundings: Surroundings,
  commands: Commands,
): Promise<void> {
  await reportFailure(failure, argv, withLogFormat(argv, surroundings), commands)
}

/** The failure to print, with its exit code. After a signal, the exit code is the signal's, whatever else failed. */
function failureOf(error: unknown, {signal}: Surroundings): Failure {
  if (signal.aborted) {
    if (isInterruption(error)) return error
    if (isAbort(error, signal)) {
      const {commandEffect} = error instanceof Failure ? error.details : {}
      return interrupted(signal.reason, {commandEffect})
    }
    if (error instanceof Failure && error.code !== 'INTERNAL')
      return new Failure(codeOfSignal(signal.reason), {hint: error.advice, ...error.details})
  }
  return failureFrom(error)
}

/**
 * Code that waits throws the signal's reason, or an error with this cause. A command wraps errors that it doesn't know.
 */
function isAbort(error: unknown, {reason}: AbortSignal): boolean {
  const thrown = error instanceof Failure && error.code === 'INTERNAL' ? error.cause : error
  return (
    thrown === reason ||
    (thrown instanceof Error && (thrown.name === 'AbortError' || thrown.cause === reason))
  )
}
