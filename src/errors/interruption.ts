import {Failure, type FailureDetails} from './failure.ts'
import {exitOf} from './registry.ts'

/** The signals that end a run, with the error code of each. The registry has the exit codes. */
const CODES = {SIGINT: 'INTERRUPTED', SIGTERM: 'TERMINATED', SIGHUP: 'HUNG_UP'} as const

export type EndingSignal = keyof typeof CODES

export const ENDING_SIGNALS = Object.keys(CODES) as readonly EndingSignal[]

/** The reason of a run whose launcher ended, the process that a schedule knows. For a program it is the same as SIGTERM. */
export const LAUNCHER_ENDED = 'launcher'

export type EndReason = EndingSignal | typeof LAUNCHER_ENDED

const OF_LAUNCHER = 'the process that started it'

/** What ended a run, as the subject of a sentence with "ended the run". */
export const enderOf = (reason: unknown): string =>
  reason === LAUNCHER_ENDED
    ? `The end of ${OF_LAUNCHER}`
    : (ENDING_SIGNALS.find(signal => signal === reason) ?? 'A signal')

const WORDS: Readonly<Record<EndingSignal, string>> = {
  SIGINT: 'Stopped by Ctrl-C (SIGINT).',
  SIGTERM: 'Stopped by SIGTERM.',
  SIGHUP: 'Stopped because the terminal was closed (SIGHUP).',
}

/** The error code of a run that a signal ended. @param reason name of the signal, as the abort signal has it. */
export const codeOfSignal = (reason: unknown): (typeof CODES)[EndingSignal] => CODES[named(reason)]

/** The exit code of such a run: 128 plus the number of the signal, as shells expect. */
export const exitCodeOf = (reason: unknown): number => exitOf(codeOfSignal(reason))

/** The failure of a run that a signal ended. @param reason as for `codeOfSignal`. */
export const interrupted = (reason: unknown, details: Partial<FailureDetails> = {}): Failure =>
  new Failure(codeOfSignal(reason), {
    message: reason === LAUNCHER_ENDED ? `Stopped because ${OF_LAUNCHER} has ended.` : WORDS[named(reason)],
    ...details,
  })

export const isInterruption = (error: unknown): error is Failure =>
  error instanceof Failure && Object.values<string>(CODES).includes(error.code)

const named = (reason: unknown): EndingSignal =>
  reason === LAUNCHER_ENDED ? 'SIGTERM' : (ENDING_SIGNALS.find(signal => signal === reason) ?? 'SIGINT')
