import {Failure} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import {isLostTerminal} from '../errors/system-reason.ts'
import {isClosedTerminal} from '../input/read-input.ts'
import type {Surroundings} from './surroundings.ts'

const NOTHING = 'Nothing was sent or changed.'

/** The end of a command at a question that comes after a request was refused: something was sent. */
export function afterRefusal(failure: Failure, refused: Failure | undefined): Failure {
  if (refused === undefined || !failure.hint.startsWith(NOTHING)) return failure
  return failure.with({
    hint: `A request was sent before, and refused with ${refused.details.status}: ${refused.message} Nothing was changed.`,
  })
}

/** Esc at a question: a person wants to answer the question before it again. */
export class StepBack extends Error {}

/** A question interrupted by a signal (also Ctrl-C) or by the end of its terminal. */
export const stoppedAtQuestion = (reason: unknown): Failure =>
  interrupted(reason, {
    message: 'Stopped at the question.',
    hint: NOTHING,
    effect: 'none',
  })

/** Ctrl-D at a question, or an input that had already ended. */
export const endedAtQuestion = (): Failure =>
  new Failure('INPUT_ENDED', {
    message: 'The input ended at the question.',
    hint: `${NOTHING} Run the command again and answer, or give the answer with a flag.`,
    effect: 'none',
  })

/**
 * Calls `end` when a question can no longer be answered: after a signal, the end of the input or the loss of the
 * terminal. Call the result to stop watching.
 */
export function whileAsking({stdin, signal}: Surroundings, end: (failure: Failure) => void): () => void {
  const onSignal = (): void => end(stoppedAtQuestion(signal.reason))
  const onEnd = (): void => end(isClosedTerminal(stdin) ? stoppedAtQuestion('SIGHUP') : endedAtQuestion())
  const onError = (error: Error): void =>
    end(isLostTerminal(stdin, error) ? stoppedAtQuestion('SIGHUP') : endedAtQuestion())
  signal.addEventListener('abort', onSignal)
  stdin.on('end', onEnd).on('error', onError)
  if (signal.aborted) onSignal()
  else if (stdin.readableEnded || stdin.destroyed) onEnd()
  return () => {
    signal.removeEventListener('abort', onSignal)
    stdin.off('end', onEnd).off('error', onError)
  }
}
