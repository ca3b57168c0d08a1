import {Failure, type FailureDetails} from './failure.ts'
import {errorRegistry} from './registry.ts'

/** The signals that end a run, and the error code it ends with. The registry has the exit codes. */
const CODES = {SIGINT: 'INTERRUPTED', SIGTERM: 'TERMINATED', SIGHUP: 'HUNG_UP'} as const

export type EndingSignal = keyof typeof CODES

export const ENDING_SIGNALS = Object.keys(CODES) as readonly EndingSignal[]

const WORDS: Readonly<Record<EndingSignal, string>> = {
  SIGINT: 'Stopped by Ctrl-C (SIGINT).',
  SIGTERM: 'Stopped by SIGTERM.',
  SIGHUP: 'Stopped because the terminal was closed (SIGHUP).',
}

/** How a run ends that a signal broke off. @param reason the signal's name, as an abort signal carries it. */
export const codeOfSignal = (reason: unknown): (typeof CODES)[EndingSignal] => CODES[named(reason)]

/** The exit code of such a run: 128 and the number of the signal, as shells expect. */
export const exitCodeOf = (reason: unknown): number => errorRegistry[codeOfSignal(reason)].exit

/** The failure of a run that a signal broke off. @param reason as for `codeOfSignal`. */
export const interrupted = (reason: unknown, details: Partial<FailureDetails> = {}): Failure =>
  new Failure(codeOfSignal(reason), {message: WORDS[named(reason)], ...details})

export const isInterruption = (error: unknown): error is Failure =>
  error instanceof Failure && Object.values<string>(CODES).includes(error.code)

const named = (reason: unknown): EndingSignal => ENDING_SIGNALS.find(signal => signal === reason) ?? 'SIGINT'
