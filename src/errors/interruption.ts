import {Failure, type FailureDetails} from './failure.ts'
import {exitOf} from './registry.ts'

/** The signals that end a run, with the error code of each. The registry has the exit codes. */
const CODES = {SIGINT: 'INTERRUPTED', SIGTERM: 'TERMINATED', SIGHUP: 'HUNG_UP'} as const

export type EndingSignal = keyof typeof CODES

export const ENDING_SIGNALS = Object.keys(CODES) as readonly EndingSignal[]

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
  new Failure(codeOfSignal(reason), {message: WORDS[named(reason)], ...details})

export const isInterruption = (error: unknown): error is Failure =>
  error instanceof Failure && Object.values<string>(CODES).includes(error.code)

const named = (reason: unknown): EndingSignal => ENDING_SIGNALS.find(signal => signal === reason) ?? 'SIGINT'
