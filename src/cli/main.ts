import {fileURLToPath} from 'node:url'
import {Config} from '@oclif/core/config'
import type {Options} from '@oclif/core/interfaces'
import {run} from '@oclif/core/run'
import {Failure} from '../errors/failure.ts'
import {codeOfSignal, exitCodeOf, interrupted, isInterruption} from '../errors/interruption.ts'
import {Sink} from '../output/sink.ts'
import {failureFrom} from './failure-from.ts'
import type {StartOptions, Surroundings} from './surroundings.ts'
import {flagsFirst, isUnknownCommand, namesIn, unknownCommand} from './unknown-command.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Where the commands come from, if not from the build. */
export interface CommandSource {
  /** Names the sources in place of the build. */
  readonly pjson?: Options['pjson']
  /** What an earlier run has found: to look for all commands takes longer than to run one. */
  readonly plugins?: Options['plugins']
}

/**
 * Runs one command line and gives its exit code. The one place where an error is printed: commands throw.
 */
export async function main(
  argv: readonly string[],
  surroundings: Surroundings,
  commands?: CommandSource,
): Promise<number> {
  try {
    await refuseCardNumbers(argv)
    await runLine(argv, surroundings, commands)
    const {aborted, reason} = surroundings.signal
    return aborted ? exitCodeOf(reason) : 0
  } catch (error) {
    const failure = await failureOf(argv, error, surroundings, commands)
    await report(failure, argv, surroundings)
    return failure.exit
  }
}

/** Digits enough for a card number, of any script. Most lines have fewer, and load nothing for it. */
const MANY_DIGITS = /(?:[\d\P{ASCII}][^\d\P{ASCII}]*){13}/u

/** @throws Failure SENSITIVE_IN_ARGV */
async function refuseCardNumbers(argv: readonly string[]): Promise<void> {
  if (!MANY_DIGITS.test(argv.join(' '))) return
  const {refuseCardNumbers: refuse} = await import('./refuse-card-numbers.ts')
  refuse(argv)
}

/** Runs one command line inside another one, which throws on what this throws. */
export async function runLine(
  argv: readonly string[],
  surroundings: Surroundings,
  commands?: CommandSource,
): Promise<void> {
  const options: StartOptions = {...loadOptions(commands), surroundings, argv}
  // oclif would write it to the process' own stdout.
  if (argv[0] === '--version')
    new Sink(surroundings.stdout).say(`${(await Config.load(options)).userAgent}\n`)
  else await run([...argv], options)
}

/** Prints how a run ended badly. The room that prints is loaded for it: help and version need none of it. */
export async function report(
  failure: Failure,
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const {reportFailure} = await import('./report-failure.ts')
  await reportFailure(failure, argv, surroundings)
}

/** What lies in the user's data folder or in a work tree is never loaded as code, so no plugins. */
const loadOptions = ({pjson, plugins}: CommandSource = {}) => ({
  root: ROOT,
  userPlugins: false,
  devPlugins: false,
  ...(pjson ? {pjson, ignoreManifest: true} : {}),
  ...(plugins ? {plugins} : {}),
})

/** What to print and to end with. A run that a signal ended has the code of the signal, whatever broke on the way. */
async function failureOf(
  argv: readonly string[],
  error: unknown,
  {signal}: Surroundings,
  commands?: CommandSource,
): Promise<Failure> {
  if (signal.aborted) {
    if (isInterruption(error)) return error
    if (isAbort(error, signal)) return interrupted(signal.reason)
    if (error instanceof Failure && error.code !== 'INTERNAL')
      return new Failure(codeOfSignal(signal.reason), {hint: error.hint, ...error.details})
  }
  if (!isUnknownCommand(error)) return failureFrom(error)
  const names = namesIn(await Config.load(loadOptions(commands)))
  const firstFlag = argv.findIndex(word => word.startsWith('-'))
  if (firstFlag === 0) return flagsFirst()
  return unknownCommand(firstFlag === -1 ? argv : argv.slice(0, firstFlag), names)
}

/** Whoever waits throws the signal's reason, or an error that has it as cause; a command wraps what it doesn't know. */
function isAbort(error: unknown, {reason}: AbortSignal): boolean {
  const thrown = error instanceof Failure && error.code === 'INTERNAL' ? error.cause : error
  return (
    thrown === reason ||
    (thrown instanceof Error && (thrown.name === 'AbortError' || thrown.cause === reason))
  )
}
