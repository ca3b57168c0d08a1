import {Failure} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import {isLostTerminal} from '../errors/lost-terminal.ts'
import {isClosedTerminal} from '../input/end-of-terminal.ts'
import type {Surroundings} from './surroundings.ts'

/** A question that a signal, Ctrl-C included, or the end of its terminal broke off. */
export const stoppedAtQuestion = (reason: unknown): Failure =>
  interrupted(reason, {message: 'Stopped at the question.', hint: 'Nothing was sent.', effect: 'none'})

/** Ctrl-D at a question, or an input that had ended before. */
export const endedAtQuestion = (): Failure =>
  new Failure('INPUT_ENDED', {
    message: 'The input ended at the question.',
    hint: 'Nothing was sent. Run the command again and answer, or give the answer with a flag.',
    effect: 'none',
  })

/**
 * Calls `end` when a question can't be answered any more: a signal came, the input ended, or the terminal is gone. The
 * result takes it back.
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
